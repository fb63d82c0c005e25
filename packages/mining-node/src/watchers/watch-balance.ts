import { type Balance, type ClientCore, getBalance } from '@hailstone/client'
import type { Address, Amount, TokenId } from '@hailstone/protocol'
import { type AccountReading, type ReadingPlace, readAccount } from './account-reading.ts'
import { type BalanceCursor, formatBalanceCursor, parseBalanceCursor } from './balance-cursor.ts'
import type { CursorStore } from './cursor-store.ts'
import type { OnError } from './failure.ts'
import { guarded } from './guarded.ts'
import type { PollOptions } from './watch-handle.ts'

/** A balance, where and when it was read. */
export type WatchedBalance = Balance & {
  /** Null at the first reading of all. */
  readonly previous: Amount | null
  /** Unix milliseconds. */
  readonly readAtMs: number
  /** Of the newest calculated macroblock at the time, null before one was seen. */
  readonly height: number | null
  /** Base of the API node that answered. */
  readonly source: string
}

export type WatchBalanceParameters = PollOptions & {
  readonly client: ClientCore
  readonly address: Address
  /** @default the network's native token */
  readonly tokenId?: TokenId | undefined
  /** Where the last amount is kept from run to run, and under which name. @default kept nowhere */
  readonly cursor?: { readonly store: CursorStore; readonly name: string } | undefined
  /** At the first reading and whenever the amount differs from the one before. */
  readonly onChange: (balance: WatchedBalance) => void
  /** At every reading. */
  readonly onRead?: ((balance: WatchedBalance) => void) | undefined
  readonly onError?: OnError | undefined
}

/**
 * Follows the balance of one token: read at once and after macroblocks whose rewards were booked, from the node
 * that has them. A failure is reported and repeated; it never turns into a zero.
 */
export function watchBalance(parameters: WatchBalanceParameters): AccountReading {
  const { client, address, tokenId, cursor, onError = () => undefined } = parameters
  const onChange = guarded({ event: 'balance', callback: parameters.onChange, onError })
  const onRead = guarded({ event: 'balance reading', callback: parameters.onRead, onError })
  let last: BalanceCursor | null = null
  let isRestored = cursor === undefined

  async function read({ core, height }: ReadingPlace, signal: AbortSignal): Promise<void> {
    if (!isRestored) last = parseBalanceCursor((await cursor?.store.read(cursor.name)) ?? null)
    isRestored = true
    const balance = await getBalance(core, { address, tokenId, signal })
    if (!signal.aborted) await tell(balance, { height, source: core.source })
  }

  async function tell(balance: Balance, at: Pick<WatchedBalance, 'height' | 'source'>): Promise<void> {
    const { amount, isKnown } = balance
    const previous = last?.amount ?? null
    const isNews = last === null || last.amount !== amount || last.isKnown !== isKnown
    const watched = { ...balance, ...at, previous, readAtMs: client.clock.now() }
    last = { amount, isKnown }
    void onRead(watched)
    if (!isNews) return
    void onChange(watched)
    await cursor?.store.write(cursor.name, formatBalanceCursor(last))
  }

  return readAccount({ ...parameters, read, onError })
}
