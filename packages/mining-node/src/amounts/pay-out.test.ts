import { describe, expect, it } from 'vitest'
import type { MiningSnapshot } from '../store/mining-snapshot.ts'
import { payoutReadings } from './pay-out.ts'

const known = {
  height: { value: 5, isStale: false },
  balance: { amount: 150n, isStale: false, isKnown: true, decimals: 10 },
  stakes: { token: { minimumStake: 25n }, isStale: false },
  api: { status: 'reachable', why: '' },
  warnings: [],
}
const readings = (change: object) => payoutReadings({ ...known, ...change } as unknown as MiningSnapshot)

describe('what a miner knows when a payout is decided', () => {
  it('is its balance, the stake and a chain that stands', () => {
    expect(readings({})).toEqual({
      ...{ isChainProved: true, balance: { amount: 150n, isStale: false }, minimumStake: 25n },
    })
  })

  it.each([
    ['no height', { height: null }],
    ['a height that could not be read lately', { height: { ...known.height, isStale: true } }],
    ['an API that cannot be reached', { api: { status: 'unreachable', why: '' } }],
    ['an API that was not asked yet', { api: { status: 'unknown', why: '' } }],
    ['an API that is behind the gateway', { warnings: [{ code: 'API_BEHIND', message: '' }] }],
  ])('proves no chain: %s', (_, change) => {
    expect(readings(change)).toMatchObject({ isChainProved: false })
  })

  it.each([
    ['none read', { stakes: null }],
    ['one not read lately', { stakes: { ...known.stakes, isStale: true } }],
    ['an unknown token', { stakes: { token: null, isStale: false } }],
  ])('names no stake: %s', (_, change) => {
    expect(readings(change)).toMatchObject({ minimumStake: null })
  })

  it('keeps a balance that is unknown or stale as it is', () => {
    expect(readings({ balance: null }).balance).toBe(null)
    expect(readings({ balance: { ...known.balance, isStale: true } }).balance?.isStale).toBe(true)
  })
})
