import type { LedgerState, NetworkParameters } from '@hailstone/ledger'
import type { Address, Hash, TokenId } from '@hailstone/protocol'
import type { BalanceReader } from '../chain/balance-reader.ts'
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
  readonly balances: Pick<BalanceReader, 'balance'>
  readonly network: NetworkParameters
  readonly settings: GatewaySettings
  /** Unix milliseconds. */
  readonly nowMs: number
  readonly random: Random
  /** Returns a number that no other offer has, for one of the transactions with these hashes. */
  readonly number: (hashes: readonly Hash[]) => number
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
  const slotOwners = placesOf(round)
  // At once, as the pool looks at all that wait: in the same order they would come one offer after the other.
  const taken = mempool.take({
    ...settings,
    limit: limit * slotOwners.length,
    nowMs,
    isSettled: open.holds,
  })
  const ownerOf = (tokenId: TokenId): Address | undefined => ledger.token(tokenId)?.owner
  let next = 0
  for (const slotOwner of slotOwners) {
    const entries = taken.slice(next, next + limit)
    if (entries.length === 0) return
    const inVainIn = new Set(entries.flatMap(({ lastOfferedIn }) => lastOfferedIn ?? []))
    const drawn = drawGateway({ gateways, keyBlockHash, slotOwner, ownerOf, inVainIn, random })
    // Nobody has rested, whoever owns the next places.
    if (drawn === undefined) return
    const { gateway, tokenId, isStaked } = drawn
    const transactions = entries.map(({ transaction }) => transaction)
    mempool.markOffered(entries, { nowMs, tokenId })
    const id = parameters.number(entries.map(({ hash }) => hash))
    let isDeclined = false
    gateway.offer({ id, keyBlockHash, nowMs, tokenId, isStaked, transactions }, (weight) => {
      isDeclined = weight === null
      if (isDeclined) mempool.withdrawOffer(entries, nowMs)
    })
    // What was declined at once is offered for the next place.
    if (!isDeclined) next += limit
  }
}

/** Enough is mined, and a native microblock is among it: the macroblock only waits to be closed (step 1). */
function isFull({ open, network, settings, nowMs }: OfferParameters): boolean {
  const isEnough =
    open.microblockCount >= settings.maxMicroblocks ||
    open.transactionCount >= settings.maxTransactions ||
    nowMs - open.openedAtMs >= settings.watchdogMs
  return isEnough && open.isMinedIn(network.ledger.nativeTokenId)
}

/** Without a native microblock there is always one more place, as the macroblock cannot be closed (step 1). */
function placesLeft({ open, network, settings }: OfferParameters): number {
  const least = open.isMinedIn(network.ledger.nativeTokenId) ? 0 : 1
  return Math.max(settings.maxMicroblocks - open.microblockCount, least)
}

/** Microblocks that would give each mined token one, and each staked miner one as far as there are places. */
function microblocksWanted({ open, settings, staked, stakedTokens }: RoundParameters): number {
  const lacking = [...stakedTokens].filter((tokenId) => !open.isMinedIn(tokenId)).length
  const places = Math.min(staked, settings.maxMicroblocks) - open.microblockCount
  return Math.max(lacking, places, 0)
}

/** Few transactions are spread over the microblocks that are wanted; many fill each one. */
function shareOf({ open, mempool, settings }: OfferParameters, wanted: number): number {
  const most = settings.maxTransactionsPerMicroblock
  const microblocks = Math.max(wanted, 1)
  const waiting = mempool.countWaiting(open.holds, most * microblocks)
  return Math.min(most, Math.max(1, Math.floor(waiting / microblocks)))
}

/** Owners of the places of a round, one for each; null for one that belongs to nobody. */
function placesOf(parameters: OfferParameters): readonly (Address | null)[] {
  const { network, ledger, balances, open } = parameters
  const slots = freeSlots({
    slots: network.microblockSlots,
    tokens: [...ledger.tokens()],
    nativeBalance: (owner) => balances.balance(owner, network.ledger.nativeTokenId) ?? 0n,
    mined: open.microblocks.map(({ tokenId }) => tokenId),
  })
  return slots
    .flatMap(({ owner, freePlaces }) => new Array<Address | null>(freePlaces).fill(owner))
    .slice(0, placesLeft(parameters))
}
