import type { MicroblockSlots } from '@hailstone/ledger'
import type { Address, Token, TokenId } from '@hailstone/protocol'

/** Draws a number in [0, 1). */
export type Random = () => number

/** A place for microblocks in the open macroblock. */
export type Slot = {
  /** Owner whose tokens come first; null if no token is preferred. */
  readonly owner: Address | null
  readonly freePlaces: number
}

export type SlotParameters = {
  readonly slots: MicroblockSlots
  readonly tokens: readonly Token[]
  /** Native units of an account. */
  readonly nativeBalance: (owner: Address) => bigint
  /** Tokens of the microblocks the open macroblock has already, one for each. */
  readonly mined: readonly TokenId[]
}

const descending = (a: bigint, b: bigint): number => (a > b ? -1 : a < b ? 1 : 0)

/** The owners with the highest balances that are not in the reserve (PROTOCOL 5.7, step 2). */
function owners({ slots, tokens, nativeBalance }: SlotParameters): readonly Address[] {
  const mineable = new Set(tokens.filter((token) => token.mining !== null).map((token) => token.owner))
  return [...mineable]
    .filter((owner) => !slots.reserve.includes(owner) && nativeBalance(owner) > slots.minimumStake)
    .sort((a, b) => descending(nativeBalance(a), nativeBalance(b)))
    .slice(0, Math.max(0, slots.count - slots.reserve.length))
}

/** Returns the accounts with places in the open macroblock and the number of free ones (PROTOCOL 5.7, step 2). */
export function freeSlots(parameters: SlotParameters): readonly Slot[] {
  const { slots, tokens, mined } = parameters
  const ownerOf = new Map(tokens.map((token) => [token.id, token.owner]))
  const minedBy = new Map<Address, number>()
  for (const tokenId of mined) {
    const owner = ownerOf.get(tokenId)
    if (owner !== undefined) minedBy.set(owner, (minedBy.get(owner) ?? 0) + 1)
  }
  return [...owners(parameters), ...slots.reserve].map((owner) =>
    owner === 'random'
      ? { owner: null, freePlaces: slots.size }
      : { owner, freePlaces: Math.max(0, slots.size - (minedBy.get(owner) ?? 0)) },
  )
}

/** Draws a place in [0, total). */
export const placeIn = (total: bigint, random: Random): bigint =>
  // 2^32 steps are fine enough for a fair draw and keep the arithmetic exact.
  (total * BigInt(Math.floor(random() * 0x1_0000_0000))) / 0x1_0000_0000n

/** The entry on which a number in [0, total) falls when each has a length of its weight. */
function weighted<T>(entries: readonly T[], weightOf: (entry: T) => bigint, random: Random): T | undefined {
  const total = entries.reduce((sum, entry) => sum + weightOf(entry), 0n)
  if (total === 0n) return entries[0]
  let rest = placeIn(total, random)
  return entries.find((entry) => {
    rest -= weightOf(entry)
    return rest < 0n
  })
}

/**
 * Chooses a token for one place: one of the slot owner's if any of those has a miner, else any; more miners make
 * it more likely (PROTOCOL 5.7, step 4).
 */
export function chooseToken(parameters: {
  readonly minersByToken: ReadonlyMap<TokenId, number>
  readonly slotOwner: Address | null
  readonly ownerOf: (tokenId: TokenId) => Address | undefined
  readonly random: Random
}): TokenId | undefined {
  const { minersByToken, slotOwner, ownerOf, random } = parameters
  const connected = [...minersByToken].filter(([, miners]) => miners > 0)
  const own = connected.filter(([tokenId]) => slotOwner !== null && ownerOf(tokenId) === slotOwner)
  const candidates = own.length > 0 ? own : connected
  return weighted(candidates, ([, miners]) => BigInt(miners), random)?.[0]
}

/** Chooses a client by weight; the first one when nobody has any (PROTOCOL 5.7, step 5). */
export const chooseClient = <Client extends { readonly weight: bigint }>(
  clients: readonly Client[],
  random: Random,
): Client | undefined => weighted(clients, ({ weight }) => weight, random)

const BASE_WEIGHT = 500n

/**
 * Returns the weight with which an account is chosen: 0 without a stake, else 500 and a fifth of the stake in whole
 * coins. A native stake is capped, and counts as none below the minimum (PROTOCOL 5.7, step 5).
 */
export function selectionWeight(parameters: {
  /** Units. */
  readonly balance: bigint
  readonly token: Token | undefined
  readonly nativeTokenId: TokenId
  readonly maximumNativeStake: bigint
}): bigint {
  const { balance, token, nativeTokenId, maximumNativeStake } = parameters
  if (token === undefined) return 0n
  const stake = token.id === nativeTokenId ? nativeStake(balance, token, maximumNativeStake) : balance
  const coins = stake / 10n ** BigInt(token.decimals)
  return coins === 0n ? 0n : BASE_WEIGHT + coins / 5n
}

function nativeStake(balance: bigint, token: Token, maximum: bigint): bigint {
  if (balance < (token.mining?.minimumStake ?? 0n)) return 0n
  return balance < maximum ? balance : maximum
}
