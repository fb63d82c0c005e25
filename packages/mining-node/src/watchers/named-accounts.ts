import { type ClientCore, getMicroblock, type MacroblockOutline } from '@hailstone/client'
import type { Address } from '@hailstone/protocol'
import type { ReadingPlace } from './chain-tip.ts'

/** Fewer are read as often as ever: to load what the network pays to others would cost them more. */
const MIN_READERS = 8
/** Each reader asks twice in so many macroblocks; loading a microblock asks once for all of them. */
const READERS_PER_MICROBLOCK = 4
/** Macroblocks after which an account is read that none named: a stake pool pays without naming anybody. */
const MACROBLOCKS_UNREAD = 8

/** Accounts that a macroblock pays or charges; null where that could not be read. */
type Named = ReadonlySet<string> | null

/** Readers of the API nodes of one client, and what they share. */
type Readers = { count: number; isAsking: boolean }

const readersOf = new Map<ClientCore['sharingKey'], Readers>()
const namings = new WeakMap<MacroblockOutline, Promise<Named>>()

/** Tells which macroblocks concern an account. */
export type NamedAccounts = {
  /**
   * Resolves to true if the account has to be read after a macroblock. Undefined where it is cheaper to read without
   * asking.
   */
  readonly isConcerned: (place: ReadingPlace, macroblock: MacroblockOutline) => Promise<boolean> | undefined
  readonly leave: () => Promise<void>
}

/**
 * Reads new microblocks once for all who watch an account through the same API nodes, so that only the accounts
 * which they name have to be read. Worth it for many accounts and few microblocks alone.
 */
export function joinNamedAccounts({ sharingKey }: ClientCore, address: Address): NamedAccounts {
  const readers = readersOf.get(sharingKey) ?? { count: 0, isAsking: false }
  readersOf.set(sharingKey, readers)
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
    const naming = accountsIn(core, macroblock)
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
      if (--readers.count === 0) readersOf.delete(sharingKey)
    },
  }
}

async function accountsIn(core: ClientCore, { keyBlock, microblocks }: MacroblockOutline): Promise<Named> {
  const read = await Promise.all(microblocks.map(({ hash }) => getMicroblock(core, { hash })))
  if (read.some((microblock) => microblock?.header.keyBlockHash !== keyBlock.hash)) return null
  return new Set(
    read
      .flatMap((microblock) => [
        microblock?.header.publisher,
        microblock?.header.referralAgent,
        ...(microblock?.transactions ?? []).flatMap(({ from, to }) => [from, to]),
      ])
      .flatMap((named) => named?.toLowerCase() ?? []),
  )
}
