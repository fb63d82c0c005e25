import { type Balance, type ClientCore, getBalance } from '@hailstone/client'
import type { Address, Amount, TokenId } from '@hailstone/protocol'
import { guarded } from '@hailstone/runtime'
import { type KeptAt, keptValue } from '../cursors/kept-value.ts'
import { errorListener, listenerReport, type OnError } from '../failure.ts'
import { type EarningReading, readAccount } from './account-reading.ts'
import type { ReadingPlace, ReadingStamp } from './chain-tip.ts'
import type { NamedAccounts } from './named-accounts.ts'
import type { PollOptions } from './watch-handle.ts'

/** A balance, where and when it was read. */
export type WatchedBalance = Balance &
  ReadingStamp & {
    /** Null at the first reading of all. */
    readonly previous: Amount | null
  }

export type WatchBalanceParameters = PollOptions & {
  readonly client: ClientCore
  readonly address: Address
  /** @default the network's native token */
  readonly tokenId?: TokenId | undefined
  /** Store and name of the last amount. One that is damaged is reported once. @default not stored */
  readonly cursor?: KeptAt | undefined
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
export function watchBalance(
  parameters: WatchBalanceParameters & Partial<Pick<NamedAccounts, 'isConcerned'>>,
): EarningReading {
  const { address, tokenId } = parameters
  const onChange = guarded(parameters.onChange, listenerReport('balance', parameters))
  const onRead = guarded(parameters.onRead, listenerReport('balance reading', parameters))
  const kept = keptValue<Pick<Balance, 'amount' | 'isKnown'>>(parameters.cursor, errorListener(parameters))
  let last: Pick<Balance, 'amount' | 'isKnown'> | null = null
  let isRestored = false

  async function read({ core, stamp }: ReadingPlace, signal: AbortSignal): Promise<boolean> {
    if (!isRestored) last = await kept.read()
    isRestored = true
    const balance = await getBalance(core, { address, tokenId, signal })
    const { amount, isKnown } = balance
    const watched = {
      ...balance,
      ...stamp(),
      previous: last?.amount ?? null,
    }
    const isNews = last?.amount !== amount || last.isKnown !== isKnown
    last = { amount, isKnown }
    onRead(watched)
    if (isNews) {
      onChange(watched)
      await kept.write(last)
    }
    return false
  }

  return readAccount({ ...parameters, read })
}
