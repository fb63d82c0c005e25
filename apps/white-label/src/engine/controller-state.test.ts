import type { Address, MiningSnapshot } from '@hailstone/mining-node'
import { expect, it } from 'vitest'
import {
  counted,
  firstState,
  pauseOf,
  shouldRun,
  shownPayout,
  shownSnapshot,
  ticked,
  withReadings,
} from './controller-state.ts'
import type { EngineConfig } from './engine-config.ts'
import type { AccountState } from './engine-state.ts'

const own = '02aa' as Address
const open: AccountState = {
  status: 'open',
  address: own,
  isBackedUp: true,
  hasWords: false,
  isSealed: true,
  wasExposed: false,
}
const policy = { wifiOnly: false, chargingOnly: false, minBattery: 0, quietHours: [] }
const config = { autoStart: true, defaultAgent: '02ee', policy } as unknown as EngineConfig
const conditions = { hasConsent: true, isOnline: true, isMetered: null, isCharging: null, battery: null }
const first = (given: Partial<Parameters<typeof firstState>[0]> = {}) =>
  firstState({
    config,
    account: open,
    kept: {},
    conditions,
    hasSlept: false,
    isAddress: (value): value is Address => typeof value === 'string',
    atMs: 100_000,
    ...given,
  })
const snapshot = (members: object): MiningSnapshot =>
  ({ address: own, balance: null, height: null, stakes: null, lastError: null, ...members }) as never
const plainError = (error: unknown) => ({ code: 'UNKNOWN', message: String(error), facts: {} })

it('begins with the brand and what the person chose, also no agent', () => {
  expect(first()).toMatchObject({ agent: '02ee', isWanted: true, minedTime: null, tickedAtMs: 100_000 })
  expect(first({ kept: { isAgentChosen: true, isWanted: false } })).toMatchObject({
    agent: null,
    isWanted: false,
  })
  expect(first({ kept: { agent: '02bb' } }).agent).toBe('02bb')
  const strict = first({ kept: { policy: { ...policy, minBattery: 40 } } })
  expect(strict.policy.minBattery).toBe(40)
})

it('begins with a stored rule of payouts that is well formed, without what another page added to it', () => {
  const payout = {
    ...{ to: '02bb', tokenId: 'ab'.repeat(32), decimals: 10, everyMs: 86_400_000, height: 7 },
    ...{ above: 5n, least: 1n, proof: 'cd'.repeat(32) },
  }
  const payoutOf = (stored: unknown, mayPayOut = true) =>
    first({ config: { ...config, mayPayOut }, kept: { payout: stored } }).payout
  expect(payoutOf({ ...payout, more: 'x'.repeat(99) })).toEqual(payout)
  expect(payoutOf(payout, false)).toBeNull()
  const { proof: _, ...setting } = payout
  const begun = first({ config: { ...config, mayPayOut: true }, kept: { payout } })
  expect(shownPayout(begun)).toEqual({ setting, why: null })
  expect(shownPayout(first())).toBeNull()
  for (const broken of [
    5,
    {},
    'on',
    { ...payout, above: 5 },
    { ...payout, to: 7 },
    { ...payout, everyMs: -1 },
  ])
    expect(payoutOf(broken)).toBeNull()
})

it('runs for who wants it with an open account, unless something pauses it', () => {
  const now = new Date(0)
  expect(shouldRun(first())).toBe(true)
  expect(shouldRun(first({ kept: { isWanted: false } }))).toBe(false)
  expect(shouldRun(first({ account: { ...open, status: 'locked' } }))).toBe(false)
  const offline = first({ conditions: { ...conditions, isOnline: false } })
  const pause = pauseOf(offline, now)
  expect(pause).not.toBeNull()
  expect(shouldRun({ ...offline, pause })).toBe(false)
  expect(pauseOf({ ...offline, isWanted: false }, now)).toBeNull()
})

it('notes a gap once, from the last tick, and logs it if mining was wanted', () => {
  const state = first()
  const early = ticked(state, 102_000)
  expect(early).toMatchObject({ gapFromMs: null, isStored: true, isRecounted: false })
  expect(ticked(early.next, 104_000).isStored).toBe(false)
  const late = ticked(early.next, 202_000)
  expect(late).toMatchObject({ gapFromMs: 102_000, isGapLogged: true, isStored: true, isRecounted: true })
  expect(ticked(late.next, 204_000)).toMatchObject({ gapFromMs: null, isGapLogged: false })
  expect(ticked({ ...early.next, isWanted: false }, 202_000)).toMatchObject({ isGapLogged: false })
  // After a freeze the time counts from the tick that is stored.
  const slept = first({ hasSlept: true, kept: { lastLedMs: 10_000 } })
  expect(ticked(slept, 100_000)).toMatchObject({ gapFromMs: 10_000 })
})

it('stores the time and counts anew after the clock was set back', () => {
  const { next } = ticked(first(), 200_000)
  expect(ticked(next, 10_000)).toMatchObject({ gapFromMs: null, isStored: true, isRecounted: true })
})

it('counts the time open and the time mined', () => {
  const begun = counted(first(), 100_000, true)
  expect(counted(begun, 104_000, false).minedTime).toMatchObject({ openMs: 4_000, minedMs: 4_000 })
  expect(counted({ ...begun, isWanted: false }, 104_000, false).minedTime).toBeNull()
})

it('takes readings that are new, and shows them as stale until the next node has its own', () => {
  const balance = { value: 5n, isStale: false, readAtMs: 1 }
  const stakes = { nativeTokenId: 'ab' }
  const state = withReadings(first(), snapshot({ balance, stakes }))
  expect(withReadings(state, snapshot({ balance, stakes }))).toBe(state)
  expect(withReadings(state, snapshot({ balance: { ...balance, isStale: true, readAtMs: 2 } }))).toBe(state)
  // A node that has not read the stakes yet does not take them away.
  const next = withReadings(state, snapshot({ balance: { ...balance, readAtMs: 2 } }))
  expect(next.readings?.stakes).toEqual(stakes)
  expect(shownSnapshot(state, snapshot({}), plainError)?.balance).toEqual({ ...balance, isStale: true })
  expect(shownSnapshot(state, snapshot({ address: '02cc' }), plainError)?.balance).toBeNull()
})

it('shows the last snapshot of the same account while no node is open', () => {
  expect(shownSnapshot(first(), null, plainError)).toBeNull()
  const lastShown = shownSnapshot(first(), snapshot({ state: { status: 'mining' } }), plainError)
  const between = { ...first(), lastShown }
  expect(shownSnapshot(between, null, plainError)?.state.status).toBe('idle')
  expect(
    shownSnapshot({ ...between, account: { status: 'none', lost: [], isOutdated: false } }, null, plainError),
  ).toBeNull()
})
