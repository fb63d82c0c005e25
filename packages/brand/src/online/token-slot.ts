import { type Client, createClient } from '@hailstone/client'
import { encodeQuery, formatAmount, isNodeError, parseTokenId, tokenPageEndpoint } from '@hailstone/protocol'
import type { ResolvedBrand } from '../layers/resolved-brand.ts'

/** What a network says about the places that it keeps for the microblocks of some tokens. */
export type TokenSlot = {
  /** Null if the token was not found among those that are listed, or nothing was answered. */
  readonly hasSlot: boolean | null
  /** Number of places, for all tokens, and of microblocks in each; null on networks that do not say it. */
  readonly places: { readonly count: number; readonly size: number } | null
  /** Native coins that an owner has to exceed, and those of this token's owner, in whole coins; null if not said. */
  readonly wanted: string | null
  readonly ownerHas: string | null
}

const UNKNOWN: TokenSlot = { hasSlot: null, places: null, wanted: null, ownerHas: null }
/** Twenty tokens each. */
const MOST_PAGES = 50
const PAGE_MS = 8_000

/** Asks the network of a brand whether its token has a place of its own. What does not answer leaves that open. */
export async function readTokenSlot(brand: ResolvedBrand): Promise<TokenSlot> {
  await using client = createClient({ apiUrl: brand.network.api, allowInsecure: true, timeoutMs: PAGE_MS })
  try {
    const { microblockSlots: slots = null, nativeToken } = await client.getNetworkInfo()
    const hasSlot = await isListedWithSlot(brand)
    const ownerHas = await ownerBalance(client, brand)
    const coins = (units: bigint): string => formatAmount(units, { decimals: nativeToken?.decimals ?? 10 })
    return {
      hasSlot,
      places: slots === null ? null : { count: slots.count, size: slots.size },
      wanted: slots === null ? null : coins(slots.minimumStake),
      ownerHas: ownerHas === null ? null : coins(ownerHas),
    }
  } catch (error) {
    if (isNodeError(error)) return UNKNOWN
    throw error
  }
}

async function ownerBalance(client: Client, brand: ResolvedBrand): Promise<bigint | null> {
  const token = await client.getToken({ tokenId: parseTokenId(brand.token.hash) })
  if (token === undefined) return null
  const tokenId = await client.getNativeTokenId()
  return (await client.getBalance({ address: token.owner, tokenId })).amount
}

async function isListedWithSlot({ network, token }: ResolvedBrand): Promise<boolean | null> {
  for (let page = 0; page < MOST_PAGES; page += 1) {
    const { tokens = [], page_count: pageCount = 0 } = (await tokenPage(network.api, page)) ?? {}
    const found = tokens.find(({ token_hash: hash }) => hash === token.hash)
    if (found?.in_slot === 0 || found?.in_slot === 1) return found.in_slot === 1
    if (found !== undefined || page + 1 >= pageCount) return null
  }
  return null
}

/** The members that are read. Not the definition of the endpoint: an odd token of somebody else leaves the answer as it is. */
type TokenPage = {
  readonly tokens?: readonly { readonly token_hash?: unknown; readonly in_slot?: unknown }[]
  readonly page_count?: number
}

async function tokenPage(apiUrl: string, page: number): Promise<TokenPage | null> {
  const query = encodeQuery(tokenPageEndpoint, { page, kind: 'minable' })
  const url = `${apiUrl.replace(/\/$/, '')}${tokenPageEndpoint.path}?${query}`
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(PAGE_MS) })
    const read: TokenPage = response.ok ? await response.json() : null
    return Array.isArray(read?.tokens) ? read : null
  } catch (error) {
    // What `fetch` and the parser throw.
    if (error instanceof TypeError || error instanceof DOMException || error instanceof SyntaxError)
      return null
    throw error
  }
}

/** Returns what a partner can expect of the places, for somebody who does not know how mining works. */
export function slotSentence({ hasSlot, places, wanted, ownerHas }: TokenSlot, token: string): string {
  if (hasSlot === null)
    return `slot: not found out. The network did not say whether ${token} has a place of its own.`
  const owner = ownerHas === null ? '' : ` The owner of ${token} has ${ownerHas}.`
  const all =
    places === null ? '' : ` The network has ${places.count} places, of ${places.size} microblocks each.`
  const needed =
    wanted === null
      ? ''
      : ` A place goes to the owners with most of the native coin, as long as they have more than ${wanted}.`
  return hasSlot
    ? `slot: yes. ${token} has a place of its own: its microblocks are offered to its miners while one of them is online.${all}${needed}${owner}`
    : `slot: no. ${token} has no place of its own: its miners share the open places with those of all tokens, and get microblocks by their number.${all}${needed}${owner} Some networks keep all places for others.`
}
