import type { Client } from '@hailstone/client'
import type { Address, Hash, NodeError } from '@hailstone/protocol'
import { endOf, heard, untilYes } from '../api-view.ts'
import { tokenDoubt } from '../hold-reason.ts'
import { networkHeard, readNetwork } from '../network-word.ts'
import { isRefusal, readStakeFacts, warningsOf } from '../readiness.ts'
import { onDemand } from '../repeat.ts'
import type { Explanation } from '../session/describe-session.ts'
import type { Doubt, HoldReason, StopReason } from '../session/state.ts'
import { followTip, type ReadingPlace } from '../watchers/chain-tip.ts'
import type { Began } from '../watchers/first-open-block.ts'
import { followOthers } from '../watchers/follow-others.ts'
import { type Watch, watchHandle } from '../watchers/watch-handle.ts'
import { createAccountUpdates } from './account-updates.ts'
import {
  type AccountsState,
  type AccountTotals,
  type AccountView,
  explanationOf,
  notChosenOf,
  totalsOf,
  viewOf,
} from './accounts-state.ts'
import { detached } from './detached.ts'
import { followFleetBalances, READ_IN_TURN } from './fleet-balances.ts'
import type { FleetEvent } from './fleet-events.ts'
import { followFleetRewards } from './fleet-rewards.ts'
import { rememberedJourney } from './journey-store.ts'
import type { NamedFleetReward } from './rewards-of-macroblock.ts'
import type { MiningTerms } from './signer-pool.ts'

/** Accounts of a fleet as the API reports them. */
export type FleetAccounts = Watch & {
  /** Resolves when the stakes were read, when the API failed to name them, or when it is overdue. */
  readonly stakesRead: () => Promise<void>
  /** A node is about to begin. Of the first 200 the balance is read before they connect. */
  readonly expect: (account: Address) => void
  /** All keys were read. */
  readonly begin: () => void
  /** Releases nodes that wait for their balance. Nodes added later start without waiting. */
  readonly onApiOverdue: () => void
  /** The gateway cuts this account off: what it has and what is asked are read anew. */
  readonly check: (account: Address) => void
  readonly view: (account: Address) => AccountView
  readonly totals: () => AccountTotals
  /** Holds the whole fleet back; null if nothing does. */
  readonly doubt: () => Doubt | null
  /** Explains why a node of the fleet has nothing to sign. */
  readonly explain: (account: Address, areOthersOfFleetMining: boolean) => Explanation
  /** As `notChosenOf`. */
  readonly notChosen: () => string | null
  /** A beacon came, or the first session began: what others mined before does not count. */
  readonly offered: () => void
  /** A node published a microblock of this key block. */
  readonly published: (keyBlockHash: Hash) => void
  /** The newest beacon was refused. */
  readonly refused: () => void
}

export type FollowFleetAccountsParameters = Began & {
  readonly client: Client
  readonly terms: MiningTerms
  readonly isTokenChosen: boolean
  readonly pollIntervalMs: number | undefined
  readonly accounts: () => Iterable<Address>
  readonly size: () => number
  readonly isOurs: (account: Address) => boolean
  /** True if a node of the fleet published the microblock. */
  readonly isPublished: (microblockHash: Hash) => boolean
  /** Says that the gateways are ahead of the API; null while they are not. */
  readonly behind: () => string | null
  readonly mineBelowStake: boolean
  /** Keeps a node away from the gateway, or lets it go with null. */
  readonly hold: (account: Address, reason: HoldReason | null) => void
  /** The API says again and again that nothing can be mined, and never said otherwise. */
  readonly onRefused: (reason: StopReason) => void
  readonly emit: (event: FleetEvent) => void
  readonly onError: (error: NodeError) => void
}

/** Longest time for which macroblocks wait for the keys, in ms. A source of keys may never end. */
const KEYS_WITHIN_MS = 60_000
/** Macroblocks after which stakes are looked at again. */
const FACTS_EVERY_MACROBLOCKS = 40

/** Asks what the network wants of a miner: of all nodes, as long as one refuses the token. */
async function readStakes(
  state: AccountsState,
  { client, terms, isTokenChosen }: FollowFleetAccountsParameters,
  { core, stamp }: ReadingPlace,
  signal: AbortSignal,
): Promise<Pick<AccountsState, 'stakes' | 'warnings' | 'said'>> {
  const { tokenId } = terms
  const { answer: facts, sources } = await untilYes(
    core,
    (one) => readStakeFacts(one, terms, signal),
    isRefusal,
    client.transport.nodes?.(),
  )
  const warnings = warningsOf({ facts, tokenId, isTokenChosen, balance: null })
  const doubt = tokenDoubt(warnings, sources)
  const said = heard(state.said, { doubt, sources, atMs: client.clock.monotonicMs() })
  return { stakes: { ...facts, ...stamp(), isStale: false }, warnings, said }
}

/** Checks the network of the API and reads the stakes, each time it is triggered. */
function followFacts({
  parameters,
  updates: { state, change, doubt, applyAll },
  placeNow,
  onError,
  onStakes,
}: {
  readonly parameters: FollowFleetAccountsParameters
  readonly updates: ReturnType<typeof createAccountUpdates>
  readonly placeNow: () => ReadingPlace
  readonly onError: (error: NodeError) => void
  /** The stakes were read. */
  readonly onStakes: () => void
}) {
  const { client } = parameters

  /** Says once that the API belongs to another network. */
  async function checkNetwork(signal: AbortSignal): Promise<void> {
    const word = await readNetwork(client, signal)
    if (signal.aborted || word === null) return
    const { error, sources } = word
    const { network } = state()
    if (error !== null && network.doubt === null) parameters.onError(error)
    const said = { isRight: error === null, sources, atMs: client.clock.monotonicMs() }
    change({ network: networkHeard(network, said) })
  }

  /** True while network or token are doubted: the API is asked again. */
  async function checkFacts(signal: AbortSignal): Promise<boolean> {
    await checkNetwork(signal).catch(onError)
    const read = await readStakes(state(), parameters, placeNow(), signal)
    if (signal.aborted) return false
    change(read)
    const end = endOf(state().network) ?? endOf(read.said)
    if (end !== null) parameters.onRefused(end)
    else applyAll()
    onStakes()
    return doubt() !== null && end === null
  }

  return onDemand({ ...parameters, onError, task: checkFacts })
}

/**
 * Follows rewards, balances and stakes of a fleet. Rewards are found in the chain and stakes are asked for once, so that
 * requests do not grow with the number of accounts; balances are read in turn.
 */
export function followFleetAccounts(parameters: FollowFleetAccountsParameters): FleetAccounts {
  const { client, terms, pollIntervalMs } = parameters
  const updates = createAccountUpdates(parameters)
  const { state, change, doubt } = updates
  /** Of the first publication: a beacon that was not checked can name any key block. */
  let openKeyBlock: Hash | undefined
  let macroblocks = 0
  const createdAtMs = client.clock.monotonicMs()
  let areKeysLoaded = false
  let resolveStakes: () => void = () => undefined
  const stakesReading = new Promise<void>((resolve) => {
    resolveStakes = resolve
  })

  /** Nothing waits for an API that fails. */
  function onError(error: NodeError): void {
    resolveStakes()
    updates.releaseAwaited()
    parameters.onError(error)
  }

  const counting = (by: 1 | -1) => (reward: NamedFleetReward) => {
    updates.count(reward, by)
    balances.readNow(reward.address)
  }
  const followed = followFleetRewards({
    ...parameters,
    onError,
    store: rememberedJourney(),
    areAccountsKnown: () => areKeysLoaded || client.clock.monotonicMs() - createdAtMs >= KEYS_WITHIN_MS,
    openKeyBlock: () => openKeyBlock,
    onReward: counting(1),
    onReverted: counting(-1),
  })
  const balances = followFleetBalances({ ...parameters, ...terms, onError, onRead: updates.balanceRead })
  const others = followOthers({
    client,
    isOurs: parameters.isPublished,
    isOurAccount: parameters.isOurs,
    onCount: (othersMined) => change({ othersMined }),
    onError,
  })
  const checkingFacts = followFacts({
    ...{ parameters, updates, onError },
    placeNow: () => tip.place(),
    onStakes: () => resolveStakes(),
  })
  const tip = followTip(client, {
    pollIntervalMs,
    onError: updates.age,
    onAnswer: ({ isStale }) => {
      const behind = parameters.behind()
      if (isStale || behind !== null) updates.age()
      change({ behind })
    },
    onReverted: updates.age,
    onHeight: () => {
      if (doubt() !== null) checkingFacts.trigger()
    },
    onCalculated: (macroblock) => {
      others.calculated(macroblock)
      if (++macroblocks % FACTS_EVERY_MACROBLOCKS === 0) checkingFacts.trigger()
      for (const account of updates.nextLow(READ_IN_TURN)) balances.readNow(account)
    },
  })
  checkingFacts.trigger()

  return {
    ...watchHandle(tip.leave, followed.stop, balances.stop, others.stop, checkingFacts.stop),
    stakesRead: () => stakesReading,
    expect: (account) => {
      if (updates.expect(account)) balances.readNow(account)
    },
    begin: () => {
      areKeysLoaded = true
      balances.begin(updates.expected())
    },
    onApiOverdue: () => {
      resolveStakes()
      updates.overdue()
    },
    check: (account) => {
      balances.readNow(account)
      checkingFacts.trigger()
    },
    published: (keyBlockHash) => {
      openKeyBlock ??= detached(keyBlockHash)
    },
    offered: () => {
      others.reset()
      change({ isNewestRefused: false })
    },
    refused: () => change({ isNewestRefused: true }),
    view: (account) => viewOf(state(), account),
    doubt,
    totals: () => totalsOf(state()),
    explain: (account, areOthersOfFleetMining) => explanationOf(state(), account, areOthersOfFleetMining),
    notChosen: () => notChosenOf(state()),
  }
}
