import { type ClientCore, getMicroblock, getToken, type MacroblockOutline } from '@hailstone/client'
import type { Address, TokenId } from '@hailstone/protocol'
import type { ReadingPlace } from './chain-tip.ts'
import { createNotThere, type NotThere } from './not-there.ts'

/** With fewer readers, loading microblocks costs more requests than it saves. */
const MIN_READERS = 8
/** Each reader asks twice in so many macroblocks; loading a microblock asks once for all of them. */
const READERS_PER_MICROBLOCK = 4
/** Macroblocks after which an account is read although none named it: stake pools pay accounts that no block names. */
const MACROBLOCKS_UNREAD = 8

/** Accounts that a macroblock pays or charges; null where that could not be read. */
type Named = ReadonlySet<string> | null

/** Owners by token. They pay fees and receive rewards of blocks that do not name them. */
type Owners = {
  readonly by: Map<TokenId, Promise<Address | undefined>>
  readonly notThere: NotThere
}

/** Readers that use the same API nodes, and the state they share. */
type Readers = { count: number; isAsking: boolean; readonly owners: Owners }

const readersOf = new Map<unknown, Readers>()
const namings = new WeakMap<MacroblockOutline, Promise<Named>>()

/** Decides after which macroblocks an account has to be read again. */
export type NamedAccounts = {
  /**
   * Resolves to true if the account has to be read after a macroblock. Undefined where it is cheaper to read without
   * asking.
   */
  readonly isConcerned: (place: ReadingPlace, macroblock: MacroblockOutline) => Promise<boolean> | undefined
  readonly leave: () => Promise<void>
}

/**
 * Joins the readers of the API nodes of a client. Each new microblock is loaded once for all of them, and only the
 * accounts that it concerns are read: those it names, and the owners of its tokens. Used where readers are many and
 * microblocks few; otherwise every account is read.
 */
export function joinNamedAccounts(client: ClientCore, address: Address): NamedAccounts {
  // Clients without a key share with nobody.
  const key = client.sharingKey ?? client
  const readers = readersOf.get(key) ?? {
    count: 0,
    isAsking: false,
    owners: { by: new Map(), notThere: createNotThere() },
  }
  readersOf.set(key, readers)
  readers.count++
  let unread = 0
  let hasLeft = false

  function namesIn({ core }: ReadingPlace, macroblock: MacroblockOutline): Promise<Named> | undefined {
    const known = namings.get(macroblock)
    if (known !== undefined) return known
    const { length } = macroblock.microblocks
    const isCheap = readers.count >= Math.max(MIN_READERS, READERS_PER_MICROBLOCK * length)
    // Behind by several macroblocks, one reading of each account is the shortest way.
    if (!isCheap || readers.isAsking) return undefined
    readers.isAsking = true
    const naming = accountsIn(core, macroblock, readers.owners)
      .catch(() => null)
      .finally(() => {
        readers.isAsking = false
      })
    namings.set(macroblock, naming)
    return naming
  }

  return {
    isConcerned: (place, macroblock) =>
      namesIn(place, macroblock)?.then((named) => {
        const isConcerned = ++unread >= MACROBLOCKS_UNREAD || named === null || named.has(address)
        if (isConcerned) unread = 0
        return isConcerned
      }),
    leave: async () => {
      if (hasLeft) return
      hasLeft = true
      if (--readers.count === 0) readersOf.delete(key)
    },
  }
}

async function accountsIn(
  core: ClientCore,
  { keyBlock, microblocks }: MacroblockOutline,
  owners: Owners,
): Promise<Named> {
  const read = await Promise.all(microblocks.map(({ hash }) => getMicroblock(core, { hash })))
  const found = read.filter((microblock) => microblock?.header.keyBlockHash === keyBlock.hash)
  if (found.length < read.length) return null
  const transactions = found.flatMap((microblock) => microblock?.transactions ?? [])
  const tokens = new Set(
    [...found.map((microblock) => microblock?.header), ...transactions].flatMap(
      (part) => part?.tokenId ?? [],
    ),
  )
  const named = [
    ...found.flatMap((microblock) => [microblock?.header.publisher, microblock?.header.referralAgent]),
    ...transactions.flatMap(({ from, to }) => [from, to]),
    ...(await Promise.all([...tokens].map((tokenId) => ownerOf(core, tokenId, owners)))),
  ]
  return new Set(named.flatMap((account) => account?.toLowerCase() ?? []))
}

/** Reads the owner of a token once; after a failure again, and after an answer of a node that does not know it. */
function ownerOf(core: ClientCore, tokenId: TokenId, { by, notThere }: Owners): Promise<Address | undefined> {
  const known = by.get(tokenId)
  if (known !== undefined) return known
  const owner = getToken(core, { tokenId }).then((token) => {
    if (token === undefined) notThere(core, '/token_info', tokenId)
    return token?.owner
  })
  by.set(tokenId, owner)
  owner.catch(() => by.delete(tokenId))
  return owner
}
