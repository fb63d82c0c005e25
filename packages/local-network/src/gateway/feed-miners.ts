import type { LedgerState, NetworkParameters } from '@hailstone/ledger'
import { type Address, formatBeacon, type Hash, microblockHash } from '@hailstone/protocol'
import type { KeepAlive } from '../chain/keep-alive.ts'
import type { Mempool } from '../chain/mempool.ts'
import type { OpenMacroblock } from '../chain/open-macroblock.ts'
import type { PendingEntry } from '../chain/pending-entry.ts'
import { freeSlots, type Random } from '../chain/selection.ts'
import type { Candidates } from './candidates.ts'
import type { GatewaySettings } from './gateway-options.ts'
import type { MinerSession } from './session.ts'

export type FeedParameters = {
  readonly open: OpenMacroblock
  readonly candidates: Candidates
  readonly mempool: Mempool
  readonly keepAlive: KeepAlive | null
  readonly ledger: LedgerState
  readonly network: NetworkParameters
  readonly settings: GatewaySettings
  /** Unix milliseconds. */
  readonly nowMs: number
  readonly random: Random
  /** Called with each beacon that is sent. */
  readonly offered?: ((address: Address, microblockHash: Hash) => void) | undefined
}

/** One round of the selection: offers waiting transactions to miners (PROTOCOL 5.7). */
export function feedMiners(parameters: FeedParameters): void {
  const { open, candidates, mempool, keepAlive, settings, nowMs, random } = parameters
  if (candidates.size() === 0 || isFull(parameters)) return
  candidates.endRests(nowMs)
  const wanted = microblocksWanted(parameters)
  keepAlive?.topUp(wanted, open.holds)
  const limit = shareOf(parameters, wanted)
  let places = placesLeft(parameters)
  for (const owner of placesOf(parameters)) {
    if (places <= 0) return
    const entries = mempool.take({ ...settings, limit, nowMs, isSettled: open.holds })
    if (entries.length === 0) return
    const session = candidates.choose(owner, random)
    if (session === undefined) continue
    offer(parameters, session, entries)
    places--
  }
}

/** Enough is mined, and a native microblock is among it: the macroblock only waits to be closed (step 1). */
function isFull({ open, network, settings, nowMs }: FeedParameters): boolean {
  const isEnough =
    open.microblocks.length >= settings.maxMicroblocks ||
    open.transactionCount >= settings.maxTransactions ||
    nowMs - open.openedAtMs >= settings.watchdogMs
  return isEnough && open.isMinedIn(network.ledger.nativeTokenId)
}

/** Without a native microblock there is always one more place, as the macroblock cannot be closed (step 1). */
function placesLeft({ open, network, settings }: FeedParameters): number {
  const least = open.isMinedIn(network.ledger.nativeTokenId) ? 0 : 1
  return Math.max(settings.maxMicroblocks - open.microblocks.length, least)
}

/** Microblocks that would give each mined token one, and each staked miner one as far as there are places. */
function microblocksWanted({ open, settings, candidates }: FeedParameters): number {
  const lacking = [...candidates.stakedTokens()].filter((tokenId) => !open.isMinedIn(tokenId)).length
  const places = Math.min(candidates.staked(), settings.maxMicroblocks) - open.microblocks.length
  return Math.max(lacking, places, 0)
}

/** Few transactions are spread over the microblocks that are wanted; many fill each one. */
function shareOf({ open, mempool, settings }: FeedParameters, wanted: number): number {
  const most = settings.maxTransactionsPerMicroblock
  const microblocks = Math.max(wanted, 1)
  const waiting = mempool.countWaiting(open.holds, most * microblocks)
  return Math.min(most, Math.max(1, Math.floor(waiting / microblocks)))
}

function* placesOf(parameters: FeedParameters): Iterable<Address | null> {
  const { network, ledger, open } = parameters
  const slots = freeSlots({
    slots: network.microblockSlots,
    tokens: [...ledger.tokens()],
    nativeBalance: (owner) => ledger.balance(owner, network.ledger.nativeTokenId) ?? 0n,
    mined: open.microblocks.map(({ tokenId }) => tokenId),
  })
  for (const { owner, freePlaces } of slots) for (let place = 0; place < freePlaces; place++) yield owner
}

function offer(parameters: FeedParameters, session: MinerSession, entries: readonly PendingEntry[]): void {
  const { open, candidates, mempool, network, nowMs } = parameters
  const content = {
    keyBlockHash: open.keyBlock.hash,
    publisher: session.miner.address,
    nonce: 1,
    transactions: entries.map(({ transaction }) => transaction),
  }
  const hash: Hash = microblockHash(content)
  session.outstanding = { ...content, hash }
  session.lastBeaconAtMs = nowMs
  candidates.rest(session, nowMs)
  mempool.markOffered(entries, nowMs)
  parameters.offered?.(session.miner.address, hash)
  session.send(formatBeacon({ leaderId: network.leaderId, microblockHash: hash, content }))
}
