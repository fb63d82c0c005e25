import type { LedgerState, NetworkParameters } from '@hailstone/ledger'
import { type Address, formatBeacon, type Hash, microblockHash, type TokenId } from '@hailstone/protocol'
import type { KeepAlive } from '../chain/keep-alive.ts'
import type { Mempool } from '../chain/mempool.ts'
import type { OpenMacroblock } from '../chain/open-macroblock.ts'
import type { PendingEntry } from '../chain/pending-entry.ts'
import { chooseClient, chooseToken, freeSlots, type Random, selectionWeight } from '../chain/selection.ts'
import type { GatewaySettings } from './gateway-options.ts'
import type { MinerSession } from './session.ts'

export type FeedParameters = {
  readonly open: OpenMacroblock
  readonly miners: readonly MinerSession[]
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

/** Stakes do not change within a round. */
type Round = FeedParameters & { readonly staked: readonly MinerSession[] }

/** One round of the selection: offers waiting transactions to miners (PROTOCOL 5.7). */
export function feedMiners(given: FeedParameters): void {
  const { open, miners, mempool, keepAlive, settings, nowMs } = given
  if (miners.length === 0 || isFull(given)) return
  const parameters = { ...given, staked: stakedOf(given) }
  const wanted = microblocksWanted(parameters)
  keepAlive?.topUp(wanted, open.holds)
  const limit = shareOf(parameters, wanted)
  let places = placesLeft(parameters)
  for (const owner of placesOf(parameters)) {
    if (places <= 0) return
    const entries = mempool.take({ ...settings, limit, nowMs, isSettled: open.holds })
    if (entries.length === 0) return
    const session = chooseMiner(parameters, owner)
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

/** The miners that could publish now: a known, mineable token, and enough of it (PROTOCOL 5.8, rules 5 to 9). */
const stakedOf = ({ miners, ledger }: FeedParameters): readonly MinerSession[] =>
  miners.filter(({ miner }) => {
    const minimum = ledger.token(miner.tokenId)?.mining?.minimumStake
    const balance = ledger.balance(miner.address, miner.tokenId)
    return minimum !== undefined && balance !== undefined && balance >= minimum
  })

/** Microblocks that would give each mined token one, and each staked miner one as far as there are places. */
function microblocksWanted({ open, settings, staked }: Round): number {
  const tokens = new Set(staked.map(({ miner }) => miner.tokenId))
  const lacking = [...tokens].filter((tokenId) => !open.isMinedIn(tokenId)).length
  const places = Math.min(staked.length, settings.maxMicroblocks) - open.microblocks.length
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

/**
 * A token, then one of its miners that has rested long enough (steps 4 to 6).
 *
 * The public server counts every connection for its token. Sockets that say hail for invented tokens then get most
 * of the places, and keep what they are offered from the others until its time-out. So here a miner that could not
 * publish is offered something only while there is nobody who could, resting ones included.
 */
function chooseMiner(parameters: Round, slotOwner: Address | null): MinerSession | undefined {
  const { miners, staked, ledger, settings, nowMs, random } = parameters
  const rested = (staked.length > 0 ? staked : miners).filter(
    ({ lastBeaconAtMs }) => lastBeaconAtMs === null || nowMs - lastBeaconAtMs >= settings.beaconIntervalMs,
  )
  const minersByToken = new Map<TokenId, number>()
  for (const { miner } of rested)
    minersByToken.set(miner.tokenId, (minersByToken.get(miner.tokenId) ?? 0) + 1)
  const ownerOf = (tokenId: TokenId): Address | undefined => ledger.token(tokenId)?.owner
  const tokenId = chooseToken({ minersByToken, slotOwner, ownerOf, random })
  const candidates = rested
    .filter(({ miner }) => miner.tokenId === tokenId)
    .map((session) => ({ session, weight: weightOf(parameters, session) }))
  return chooseClient(candidates, random)?.session
}

const weightOf = ({ ledger, network }: FeedParameters, { miner }: MinerSession): bigint =>
  selectionWeight({
    balance: ledger.balance(miner.address, miner.tokenId) ?? 0n,
    token: ledger.token(miner.tokenId),
    nativeTokenId: network.ledger.nativeTokenId,
    maximumNativeStake: network.ledger.maximumNativeStake,
  })

function offer(parameters: FeedParameters, session: MinerSession, entries: readonly PendingEntry[]): void {
  const { open, mempool, network, nowMs } = parameters
  const content = {
    keyBlockHash: open.keyBlock.hash,
    publisher: session.miner.address,
    nonce: 1,
    transactions: entries.map(({ transaction }) => transaction),
  }
  const hash: Hash = microblockHash(content)
  session.outstanding = { ...content, hash }
  session.lastBeaconAtMs = nowMs
  mempool.markOffered(entries, nowMs)
  parameters.offered?.(session.miner.address, hash)
  session.send(formatBeacon({ leaderId: network.leaderId, microblockHash: hash, content }))
}
