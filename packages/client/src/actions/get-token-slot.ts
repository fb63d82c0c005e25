import {
  type Address,
  type Amount,
  isNodeError,
  parseTokenId,
  type TokenId,
  tokenPageEndpoint,
} from '@hailstone/protocol'
import { anything, count, list, optional, record } from '@hailstone/protocol/schema'
import { callEndpoint } from '../call-endpoint.ts'
import type { Cancellable, ClientCore } from '../client-core.ts'
import { getBalance } from './get-balance.ts'
import { getNativeToken } from './get-native-token.ts'
import { getNetworkInfo } from './get-network-info.ts'
import { getToken } from './get-token.ts'

/** Parameters of {@link getTokenSlot}. */
export type GetTokenSlotParameters = Cancellable & {
  /** 64 hex digits. */
  readonly tokenId: string
}

/** The places that a network keeps for the microblocks of some tokens, and whether a token has one. */
export type TokenSlot = {
  /** Null if the token was not found among those that are listed, or nothing was answered. */
  readonly hasSlot: boolean | null
  /** Number of places, for all tokens, and of microblocks in each; null on networks that do not say it. */
  readonly places: {
    /** Places for all tokens together. */
    readonly count: number
    /** Microblocks in each place. */
    readonly size: number
  } | null
  /** Native units that an owner has to exceed; null if not said. */
  readonly minimumStake: Amount | null
  /** The owner of the token and its native units; null if not said. */
  readonly owner: {
    readonly address: Address
    /** Native units that the owner has. */
    readonly amount: Amount
  } | null
  /** Of the native token; null if not said. */
  readonly native: {
    /** Short name of the native token. */
    readonly symbol: string
    /** Decimals of the native token, 0 to 10. */
    readonly decimals: number
  } | null
}

/** Twenty tokens each. */
const MOST_PAGES = 50

/** Only the members that are read: an odd token of somebody else leaves the answer as it is. */
const slotPageEndpoint = {
  ...tokenPageEndpoint,
  answer: record({
    tokens: list(record({ id: ['token_hash', anything], hasSlot: ['in_slot', optional(anything)] })),
    pageCount: ['page_count', count],
  }),
}

/**
 * Reads whether a token has a place of its own for its microblocks, and what such a place takes. What the network does not
 * say, or does not answer, is null.
 *
 * Source: `GET /network_info`, `GET /get_token_info_page`, and the balance of the token's owner.
 *
 * @throws {NodeError} `TOKEN_ID_MALFORMED`; the reason of the signal
 */
export async function getTokenSlot(
  client: ClientCore,
  { tokenId: given, signal }: GetTokenSlotParameters,
): Promise<TokenSlot> {
  // What is wrong with it is no silence of the network.
  const tokenId = parseTokenId(given)
  const [info, native, hasSlot, owner] = await Promise.all([
    orNull(getNetworkInfo(client, { signal })),
    orNull(getNativeToken(client, { signal })),
    orNull(isListedWithSlot(client, { tokenId, signal })),
    orNull(readOwner(client, { tokenId, signal })),
  ])
  const slots = info?.microblockSlots ?? null
  return {
    hasSlot: hasSlot ?? null,
    places: slots && { count: slots.count, size: slots.size },
    minimumStake: slots?.minimumStake ?? null,
    owner: owner ?? null,
    native: native ? { symbol: native.symbol, decimals: native.decimals } : null,
  }
}

type Asked = Cancellable & { readonly tokenId: TokenId }

const orNull = <T>(asked: Promise<T>): Promise<T | null> =>
  asked.catch((error: unknown) => {
    if (isNodeError(error)) return null
    throw error
  })

async function isListedWithSlot(client: ClientCore, { tokenId, signal }: Asked): Promise<boolean | null> {
  for (let page = 0; page < MOST_PAGES; page += 1) {
    const { tokens, pageCount } = await callEndpoint(
      client,
      slotPageEndpoint,
      { page, kind: 'minable' },
      { signal },
    )
    const found = tokens.find(({ id }) => id === tokenId)
    if (found !== undefined) return found.hasSlot === 1n ? true : found.hasSlot === 0n ? false : null
    if (page + 1 >= pageCount) return null
  }
  return null
}

async function readOwner(client: ClientCore, { tokenId, signal }: Asked): Promise<TokenSlot['owner']> {
  const token = await getToken(client, { tokenId, signal })
  const native = await getNativeToken(client, { signal })
  if (token === undefined || native === undefined) return null
  const { owner: address } = token
  const { amount } = await getBalance(client, { address, tokenId: native.id, signal })
  return { address, amount }
}
