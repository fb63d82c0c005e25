import { expect, test } from 'vitest'
import { gateSize } from '../../../../scripts/gate-size.ts'
import { seed } from '../../../../scripts/seed.ts'
import { type ManualClock, manualClock } from '../../test/manual-clock.ts'
import { silentLogger } from '../logger.ts'
import { LEASE_MS, type Lead, type Lease } from '../store/leadership.ts'
import { type ClusterParameters, createCluster } from './create-cluster.ts'

/** Number of histories. Larger size: HAILSTONE_HISTORIES=10000 npx vitest run src/cluster/lease-histories.test.ts */
const HISTORIES = gateSize('HAILSTONE_HISTORIES', { change: 150, night: 400 })

const PROCESSES = 3
const TROUBLES = 12
/** From the last trouble on, a leader has to be there within so long. */
const LONGEST_WITHOUT_LEADER_MS = 10_000
const STEP_MS = 250

type Draw = (below: number) => number

/** A generator of whole numbers that repeats itself for a seed (mulberry32). */
function drawsOf(start: number): Draw {
  let state = start >>> 0
  return (below) => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 0x1_0000_0000) * below)
  }
}

/** The row `leadership`, as the statements of `store/leadership.ts` read and write it. */
function createRow() {
  let row: (Lease & { readonly line: null }) | null = null
  const isLead = (lead: Lead): boolean => row?.term === lead.term && row.holder === lead.holder
  return {
    read: () => row,
    /** An older row comes back, as after a failover to a server that lagged. */
    restore: (older: typeof row) => {
      row = older
    },
    isLead,
    claim: (holder: string, seen: Lease | null): number | null => {
      const isSeen = seen === null ? row === null : row !== null && isLead(seen) && row.beat === seen.beat
      if (!isSeen) return null
      row = { term: (row?.term ?? 0) + 1, holder, beat: (row?.beat ?? 0n) + 1n, line: null }
      return row.term
    },
    change: (lead: Lead, holder: string): boolean => {
      if (row === null || !isLead(lead)) return false
      row = { ...row, holder, beat: row.beat + 1n }
      return true
    },
  }
}

const keyBlock = { height: 0, hash: 'origin' } as never

function createProcess(row: ReturnType<typeof createRow>, clock: ManualClock, draw: Draw) {
  let isCutOff = false
  let frozenUntilMs = 0
  let lead: Lead | null = null
  // A monotonic clock of its own, which begins anywhere and is a little fast or slow.
  const offsetMs = draw(1_000_000)
  const rate = 0.99 + draw(21) / 1000
  const elapsed = (): number => offsetMs + clock.now() * rate
  /** Times of its claims, by its own clock. */
  const claims: number[] = []
  /** A question, which a process that is cut off loses; its answer may get lost as well. */
  async function ask<Answer>(question: () => Answer): Promise<Answer> {
    if (isCutOff) throw new Error('the connection is gone')
    const answer = question()
    await Promise.resolve()
    if (isCutOff) throw new Error('the connection is gone')
    return answer
  }
  const shared = {
    state: () =>
      ask(() => {
        const at = row.read()
        return at === null
          ? null
          : {
              ...at,
              height: 0,
              tailHash: 'origin',
              branch: 0,
              poolSize: 0,
              poolNewest: 0n,
              unreplicated: null,
            }
      }),
    claim: ({ holder, seen }: { readonly holder: string; readonly seen: Lease | null }) =>
      ask(() => {
        const term = row.claim(holder, seen)
        if (term !== null) {
          lead = { term, holder }
          claims.push(elapsed())
        }
        return term
      }),
    renew: () => ask(() => lead !== null && row.change(lead, lead.holder)),
    release: () => ask(() => void (lead !== null && row.change(lead, ''))),
    wake: async () => {},
    listen: () => async () => {},
    loadChain: () => ask(() => ({})),
  }
  const producer = {
    openKeyBlock: () => keyBlock,
    condition: () => ({ openForMs: 0, closingForMs: null, failure: null, isStoreFull: false }),
    storingHash: () => null,
    branch: () => 0,
    replaceTip: async () => {},
    start: () => {},
    stop: async () => {},
  }
  const cluster = createCluster({
    shared,
    producer,
    store: {},
    ledger: {},
    parameters: {},
    mempool: { size: 0, sync: async () => {}, trim: () => {}, flush: async () => {} },
    lines: { lead: () => {}, follow: () => {} },
    clock: {
      now: clock.now,
      elapsedMs: elapsed,
      // What falls due while a process is stopped happens when it goes on.
      after(delayMs: number, action: () => void) {
        let cancel = (): void => {}
        const later = (ms: number): void => {
          cancel = clock.after(ms, () => {
            const restMs = frozenUntilMs - clock.now()
            if (restMs > 0) later(restMs)
            else action()
          })
        }
        later(delayMs)
        return () => cancel()
      },
    },
    isDead: async () => false,
    blockTimeMs: 15_000,
    logger: silentLogger,
    onRole: () => {},
  } as unknown as ClusterParameters)
  return {
    cluster,
    elapsed,
    claims,
    /** True if a macroblock of this process would be stored now. */
    canAppend: (): boolean => lead !== null && row.isLead(lead),
    /** True if it offers and takes microblocks now. */
    offers: (): boolean => frozenUntilMs <= clock.now() && cluster.isLeaseFresh(),
    cutOff: (isGone: boolean) => {
      isCutOff = isGone
    },
    freeze: (ms: number) => {
      frozenUntilMs = clock.now() + ms
    },
  }
}

type History = {
  /** Largest number of processes of which the store took a macroblock at one moment. */
  readonly appending: number
  /** Longest time without a leader that offers, after the last trouble. */
  readonly withoutLeaderMs: number
  readonly troubles: readonly string[]
}

async function liveThrough(start: number): Promise<History> {
  const draw = drawsOf(start)
  const row = createRow()
  const clock = manualClock(0)
  const all = Array.from({ length: PROCESSES }, () => createProcess(row, clock, draw))
  const troubles: string[] = []
  let appending = 0
  const look = (): void => {
    appending = Math.max(appending, all.filter((one) => one.canAppend()).length)
  }
  const pass = async (ms: number): Promise<void> => {
    for (let passed = 0; passed < ms; passed += STEP_MS) {
      await clock.advance(STEP_MS)
      look()
    }
  }
  for (const { cluster } of all) await cluster.join(null)
  const kept = [row.read()]
  for (let trouble = 0; trouble < TROUBLES; trouble++) {
    const one = all[draw(PROCESSES)]
    const kind = draw(5)
    if (kind === 0) one?.freeze(draw(12_000))
    else if (kind === 1) one?.cutOff(true)
    else if (kind === 2) one?.cutOff(false)
    else if (kind === 3) row.restore(kept[draw(kept.length)] ?? null)
    else kept.push(row.read())
    troubles.push(['stopped', 'cut off', 'back', 'an older row', 'a row kept'][kind] ?? '')
    look()
    await pass(STEP_MS * (1 + draw(24)))
  }
  // Whoever could store last never comes back, the others do.
  const gone = all.find((one) => one.canAppend())
  for (const one of all) {
    one.cutOff(one === gone)
    one.freeze(0)
  }
  let withoutLeaderMs = 0
  while (
    withoutLeaderMs <= LONGEST_WITHOUT_LEADER_MS &&
    !all.some((one) => one.offers() && one.canAppend())
  ) {
    await pass(STEP_MS)
    withoutLeaderMs += STEP_MS
  }
  for (const { cluster } of all) await cluster.leave()
  return { appending, withoutLeaderMs, troubles }
}

test('A-17, D-1: whatever stops, is cut off or comes back from a standby, one can store at most, and one does soon', async () => {
  for (let number = 0; number < HISTORIES; number++) {
    const history = await liveThrough(seed + number)
    const about = { seed: seed + number, ...history }
    expect({ ...about, isOne: history.appending <= 1 }).toMatchObject({ isOne: true })
    expect({ ...about, isSoon: history.withoutLeaderMs <= LONGEST_WITHOUT_LEADER_MS }).toMatchObject({
      isSoon: true,
    })
  }
})

test('A-17: a claimer has watched a lease stand still for three seconds of its own clock, whatever the time of day does', async () => {
  const row = createRow()
  const clock = manualClock(0)
  const draw = drawsOf(seed)
  const [leader, follower] = [createProcess(row, clock, draw), createProcess(row, clock, draw)] as const
  await leader.cluster.join(null)
  await follower.cluster.join(null)
  await clock.advance(20_000)
  expect([leader.cluster.role(), follower.cluster.role()]).toEqual(['leader', 'follower'])
  expect(follower.claims).toEqual([])
  leader.cutOff(true)
  const from = follower.elapsed()
  await clock.advance(2 * LEASE_MS)
  const [claim] = follower.claims
  expect((claim ?? 0) - from).toBeGreaterThanOrEqual(LEASE_MS - 1000)
  expect([leader.offers(), follower.offers()]).toEqual([false, true])
  for (const one of [leader, follower]) await one.cluster.leave()
})
