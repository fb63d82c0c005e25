import { createClient, type TokenSlot } from '@hailstone/client'
import { formatAmount, parseTokenId } from '@hailstone/protocol'
import type { ResolvedBrand } from '../layers/resolved-brand.ts'

const PAGE_MS = 8_000

/** Asks the network of a brand whether its token has a place of its own. What does not answer leaves that open. */
export async function readTokenSlot({ network, token }: ResolvedBrand): Promise<TokenSlot> {
  await using client = createClient({ apiUrl: network.api, allowInsecure: true, timeoutMs: PAGE_MS })
  return await client.getTokenSlot({ tokenId: parseTokenId(token.hash) })
}

/** Returns units in whole native coins; null where units or decimals are not known. */
const coinsOf =
  ({ native }: TokenSlot) =>
  (units: bigint | undefined | null): string | null =>
    native === null || units === undefined || units === null ? null : formatAmount(units, native)

/** Returns the figures for programs, amounts in whole native coins. */
export function slotFacts(slot: TokenSlot) {
  const coins = coinsOf(slot)
  return {
    hasSlot: slot.hasSlot,
    places: slot.places,
    wanted: coins(slot.minimumStake),
    ownerHas: coins(slot.owner?.amount),
  }
}

/** Returns what a partner can expect of the places, for somebody who does not know how mining works. */
export function slotSentence(slot: TokenSlot, token: string): string {
  const { hasSlot, places } = slot
  const coins = coinsOf(slot)
  const [wanted, held] = [coins(slot.minimumStake), coins(slot.owner?.amount)]
  if (hasSlot === null)
    return `slot: not found out. The network did not say whether ${token} has a place of its own.`
  const owner = held === null ? '' : ` The owner of ${token} has ${held}.`
  const all =
    places === null ? '' : ` The network has ${places.count} places, of ${places.size} microblocks each.`
  const needed =
    wanted === null
      ? ''
      : ` A place goes to the owners with most of the native coin, as long as they have more than ${wanted}.`
  return hasSlot
    ? `slot: yes, ${token} has a place of its own: its microblocks are offered to its miners while one of them is online.${all}${needed}${owner}`
    : `slot: no, ${token} has no place of its own: its miners share the open places with those of all tokens, and get microblocks by their number.${all}${needed}${owner} Some networks keep all places for others.`
}
