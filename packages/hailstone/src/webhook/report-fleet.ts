import { randomUUID } from 'node:crypto'
import type { Client } from '@hailstone/client'
import { type CursorStore, cursorsOfChain, type StopReason } from '@hailstone/mining-node'
import { type Fleet, type NamedFleetReward, watchFleetRewards } from '@hailstone/mining-node/fleet'
import type { Address, Hash } from '@hailstone/protocol'
import type { Webhooks } from './open-webhooks.ts'
import { createWebhookEvent } from './outbox.ts'
import { endedWith, revertedName, rewardEventName } from './report-rewards.ts'
import { openReportedState } from './reported-state.ts'
import { type RewardFaults, unreadRewards } from './reward-faults.ts'
import type { WebhookEventName } from './webhook-settings.ts'

/** A fleet of ten thousand takes a while to look through. */
const LOOK_EVERY_MS = 2_000
/** Looks after which the minimum stake is read again. */
const STAKES_EVERY_LOOKS = 15
/** Name of the events that are about the whole fleet, in their ids. */
const FLEET = 'fleet'
const LOW = 'low-stakes'

/** The same for every miner: told once, for the whole fleet. */
export const ENDS_OF_ALL: ReadonlySet<StopReason> = new Set(['requested', 'unknownToken', 'tokenNotMineable'])

/** Reports of a fleet, until they are stopped. */
export type FleetReports = {
  /** The keys were read: from now on it is known whose rewards to look for. */
  readonly begun: () => void
  /** Tells that the whole fleet ended. Resolves when all events so far are stored. */
  readonly stop: (end: { readonly reason: StopReason; readonly why: string }) => Promise<void>
}

/**
 * Turns what happens to a fleet into events for webhooks: its readiness, and the rewards, low stakes and ends of its
 * accounts. Each is told once, also when the process was killed in between.
 */
export function reportFleet(
  webhooks: Pick<Webhooks, 'store' | 'outbox' | 'isWanted'> & Partial<Pick<Webhooks, 'faults'>>,
  { fleet, client }: { readonly fleet: Fleet; readonly client: Client | undefined },
): FleetReports {
  const { store, outbox, isWanted, faults } = webhooks
  const tell = async (
    type: WebhookEventName,
    identity: readonly unknown[],
    { address, ...data }: { readonly address: string } & Readonly<Record<string, unknown>>,
  ): Promise<void> => {
    if (!isWanted(type)) return
    await outbox.put(createWebhookEvent({ type, address, identity, data: { address, ...data } }))
  }
  /** A miner that ends for good does so once in a run. */
  const run = randomUUID()
  const state = openReportedState({ owner: FLEET, store, isWanted, outbox })
  let isStopped = false
  let hasBegun = false
  let openKeyBlock: Hash | undefined

  const stakes = reportStakes({ fleet, store, tell, origin: async () => (await state.read()).origin })
  const ends: { readonly address: Address; readonly reason: StopReason; readonly why: string }[] = []

  async function look(): Promise<void> {
    for (let end = ends[0]; end !== undefined; end = ends[0]) {
      await tell('stopped', [run], end)
      ends.shift()
    }
    if (isStopped) return
    const { isReady, code, why, nextStep, nodes } = fleet.health()
    const facts = { address: null, nodes: nodes.total, code }
    await state.lookAtReadiness({ isReady, whenReady: facts, whenNotReady: { ...facts, why, nextStep } })
    await stakes.look()
  }

  const rewards =
    client &&
    reportFleetRewards({
      ...{ client, fleet, store, tell, isWanted, faults },
      hasBegun: () => hasBegun,
      openKeyBlock: () => openKeyBlock,
    })
  const unsubscribe = fleet.subscribe((event) => {
    if (event.type === 'published') openKeyBlock ??= event.keyBlockHash
    if (event.type === 'balanceChanged') stakes.read(event.address)
    if (event.type !== 'stopped' || ENDS_OF_ALL.has(event.reason)) return
    const { address, reason, why } = event
    ends.push({ address, reason, why })
  })
  let isLooking = false
  const timer = setInterval(() => {
    // A disk that is slow is not asked for more.
    if (isLooking) return
    isLooking = true
    state.inTurn(look).finally(() => {
      isLooking = false
    })
  }, LOOK_EVERY_MS).unref()

  return {
    begun: () => {
      hasBegun = true
    },
    stop: async ({ reason, why }) => {
      isStopped = true
      clearInterval(timer)
      unsubscribe()
      await state.inTurn(look)
      const facts = { address: null, nodes: fleet.health().nodes.total, reason, why }
      await state.inTurn(() => state.change('stopped', facts, { readiness: null }))
      await rewards?.stop()
    },
  }
}

type Tell = (
  type: WebhookEventName,
  identity: readonly unknown[],
  data: { readonly address: string } & Readonly<Record<string, unknown>>,
) => Promise<void>

type LowStakes = {
  /** Counts changes, so that an account that falls below again has another event. */
  readonly round: number
  /** Those that were told. */
  readonly accounts: readonly string[]
}

function lowStakesIn(text: string | null): LowStakes {
  try {
    const { round, accounts } = JSON.parse(text ?? '') as Record<string, unknown>
    if (
      Number.isSafeInteger(round) &&
      Array.isArray(accounts) &&
      accounts.every((one) => typeof one === 'string')
    )
      return { round: round as number, accounts }
  } catch {
    // Not written yet, or not whole.
  }
  return { round: 0, accounts: [] }
}

/** Tells of each account that falls below the minimum stake, once until it is above again. */
function reportStakes(parameters: {
  readonly fleet: Fleet
  readonly store: CursorStore
  readonly tell: Tell
  readonly origin: () => Promise<string>
}): { readonly read: (address: Address) => void; readonly look: () => Promise<void> } {
  const { fleet, store, tell, origin } = parameters
  /** Accounts whose balance was read since the last look. */
  const changed = new Set<Address>()
  let known: LowStakes | null = null
  let low = new Set<string>()
  let minimum: bigint | null = null
  let looks = 0

  async function look(): Promise<void> {
    if (looks++ % STAKES_EVERY_LOOKS === 0 || minimum === null) {
      const { accounts } = fleet.health()
      const now = accounts?.stakes?.token?.minimumStake ?? null
      if (now !== minimum) for (const { address } of fleet.nodes()) changed.add(address)
      minimum = now
    }
    if (minimum === null || changed.size === 0) return
    if (known === null) {
      known = lowStakesIn(await store.read(LOW))
      low = new Set(known.accounts)
    }
    const looked = [...changed]
    changed.clear()
    try {
      await compare(looked, known, minimum)
    } catch (error) {
      for (const address of looked) changed.add(address)
      throw error
    }
  }

  async function compare(looked: readonly Address[], before: LowStakes, least: bigint): Promise<void> {
    const next = new Set(low)
    const round = before.round + 1
    // Put together once: that of a large fleet takes a while, and all of its accounts may be low.
    const { tokenId } = fleet.health().accounts ?? {}
    for (const address of looked) {
      const { balance = null } = fleet.node(address)?.account ?? {}
      if (balance === null) continue
      if (balance.amount >= least) next.delete(address)
      else if (!next.has(address)) {
        const facts = { address, tokenId, balance: balance.amount, minimumStake: least }
        await tell('lowStake', [await origin(), round], facts)
        next.add(address)
      }
    }
    if (next.size === low.size && [...next].every((address) => low.has(address))) return
    // After the events: killed in between, the next process makes the same ones again, with the same ids.
    const kept = { round, accounts: [...next] }
    await store.write(LOW, JSON.stringify(kept))
    known = kept
    low = next
  }
  return { read: (address) => void changed.add(address), look }
}

/** Rewards have a watch of their own, with a place in the chain that is kept from run to run. */
function reportFleetRewards(parameters: {
  readonly client: Client
  readonly fleet: Fleet
  readonly store: CursorStore
  readonly tell: Tell
  readonly isWanted: Webhooks['isWanted']
  readonly hasBegun: () => boolean
  readonly openKeyBlock: () => Hash | undefined
  readonly faults: RewardFaults | undefined
}): { readonly stop: () => Promise<void> } {
  const { client, fleet, store, tell, isWanted, hasBegun, openKeyBlock, faults } = parameters

  async function put(type: WebhookEventName, reward: NamedFleetReward): Promise<void> {
    const { id, source: _, readAtMs: __, ...data } = reward
    await tell(type, [id], data)
  }

  const ended = new AbortController()
  const watch = watchFleetRewards({
    client,
    cursor: { store: cursorsOfChain({ store, client, signal: ended.signal }), name: 'rewards' },
    isOurs: (address) => fleet.node(address) !== undefined,
    areAccountsKnown: hasBegun,
    openKeyBlock,
    onReward: (reward) => put(rewardEventName(reward), reward),
    onReverted: (reward) => put(revertedName(isWanted), reward),
    onError: faults && unreadRewards(faults),
  })
  return endedWith(ended, watch)
}
