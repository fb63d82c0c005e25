import type { LedgerState, NetworkParameters } from '@hailstone/ledger'
import type { Address, TokenId } from '@hailstone/protocol'
import type { KeepAlive } from '../chain/keep-alive.ts'
import type { Mempool } from '../chain/mempool.ts'
import type { OpenMacroblock } from '../chain/open-macroblock.ts'
import { freeSlots, type Random } from '../chain/selection.ts'
import type { GatewaySettings } from '../gateway/gateway-options.ts'
import { drawGateway } from './draw-gateway.ts'
import type { GatewayEnd } from './gateway-end.ts'

export type OfferParameters = {
  readonly open: OpenMacroblock
  readonly gateways: readonly GatewayEnd[]
  readonly mempool: Mempool
  readonly keepAlive: KeepAlive | null
  readonly ledger: LedgerState
  readonly network: NetworkParameters
  readonly settings: GatewaySettings
  /** Unix milliseconds. */
  readonly nowMs: number
  readonly random: Random
  /** Returns a number that no other offer has. */
  readonly nextId: () => number
}

type RoundParameters = OfferParameters & {
  /** Miners of all gateways that could publish now. */
  readonly staked: number
  readonly stakedTokens: ReadonlySet<TokenId>
}

/** One round of the selection: offers waiting transactions to the miners of all gateways (PROTOCOL 5.7). */
export function offerMicroblocks(parameters: OfferParameters): void {
  const { open, gateways, mempool, keepAlive, ledger, settings, nowMs, random } = parameters
  const stands = gateways.map((gateway) => gateway.stand()).filter((stand) => stand !== null)
  const isAnybodyThere = stands.some(({ rested, staked }) => staked > 0 || rested(false).size > 0)
  if (!isAnybodyThere || isFull(parameters)) return
  const round: RoundParameters = {
    ...parameters,
    staked: stands.reduce((sum, stand) => sum + stand.staked, 0),
    stakedTokens: new Set(stands.flatMap(({ stakedTokens }) => [...stakedTokens])),
  }
  const wanted = microblocksWanted(round)
  keepAlive?.topUp(wanted, open.holds)
  const limit = shareOf(round, wanted)
  const keyBlockHash = open.keyBlock.hash
  let places = placesLeft(round)
  for (const slotOwner of placesOf(round)) {
    if (places <= 0) return
    const entries = mempool.take({ ...settings, limit, nowMs, isSettled: open.holds })
    if (entries.length === 0) return
    const ownerOf = (tokenId: TokenId): Address | undefined => ledger.token(tokenId)?.owner
    const inVainIn = new Set(entries.flatMap(({ lastOfferedIn }) => lastOfferedIn ?? []))
    const drawn = drawGateway({ gateways, keyBlockHash, slotOwner, ownerOf, inVainIn, random })
    if (drawn === undefined) continue
    const { gateway, tokenId, isStaked } = drawn
    const transactions = entries.map(({ transaction }) => transaction)
    mempool.markOffered(entries, { nowMs, tokenId })
    const offer = { id: parameters.nextId(), keyBlockHash, nowMs, tokenId, isStaked, transactions }
    gateway.offer(offer, (weight) => {
      if (weight === null) mempool.withdrawOffer(entries, nowMs)
    })
    places--
  }
}

/** Enough is mined, and a native microblock is among it: the macroblock only waits to be closed (step 1). */
function isFull({ open, network, settings, nowMs }: OfferParameters): boolean {
  const isEnough =
    open.microblocks.length >= settings.maxMicroblocks ||
    open.transactionCount >= settings.maxTransactions ||
    nowMs - open.openedAtMs >= settings.watchdogMs
  return isEnough && open.isMinedIn(network.ledger.nativeTokenId)
}

/** Without a native microblock there is always one more place, as the macroblock cannot be closed (step 1). */
function placesLeft({ open, network, settings }: OfferParameters): number {
  const least = open.isMinedIn(network.ledger.nativeTokenId) ? 0 : 1
  return Math.max(settings.maxMicroblocks - open.microblocks.length, least)
}

/** Microblocks that would give each mined token one, and each staked miner one as far as there are places. */
function microblocksWanted({ open, settings, staked, stakedTokens }: RoundParameters): number {
  const lacking = [...stakedTokens].filter((tokenId) => !open.isMinedIn(tokenId)).length
  const places = Math.min(staked, settings.maxMicroblocks) - open.microblocks.length
  return Math.max(lacking, places, 0)
}

/** Few transactions are spread over the microblocks that are wanted; many fill each one. */
function shareOf({ open, mempool, settings }: OfferParameters, wanted: number): number {
  const most = settings.maxTransactionsPerMicroblock
  const microblocks = Math.max(wanted, 1)
  const waiting = mempool.countWaiting(open.holds, most * microblocks)
  return Math.min(most, Math.max(1, Math.floor(waiting / microblocks)))
}

function* placesOf(parameters: OfferParameters): Iterable<Address | null> {
  const { network, ledger, open } = parameters
  const slots = freeSlots({
    slots: network.microblockSlots,
    tokens: [...ledger.tokens()],
    nativeBalance: (owner) => ledger.balance(owner, network.ledger.nativeTokenId) ?? 0n,
    mined: open.microblocks.map(({ tokenId }) => tokenId),
  })
  for (const { owner, freePlaces } of slots) for (let place = 0; place < freePlaces; place++) yield owner
}
