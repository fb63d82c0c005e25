import { type Balance, type ClientCore, getBalance } from '@hailstone/client'
import { type Address, type Amount, apiError, isNodeError, type NodeError } from '@hailstone/protocol'
import { guarded } from '@hailstone/runtime'
import { type KeptAt, keptValue } from '../cursors/kept-value.ts'
import { errorListener, listenerReport, type OnError } from '../failure.ts'
import { type EarningReading, readAccount } from './account-reading.ts'
import { type HeldBalance, isDisputed, NOTHING_HELD, readBalance } from './balance-claim.ts'
import { followTip, type ReadingPlace, type ReadingStamp } from './chain-tip.ts'
import { momentOf } from './moment.ts'
import type { NamedAccounts } from './named-accounts.ts'
import { type PollOptions, watchHandle } from './watch-handle.ts'

/** A balance, where and when it was read. */
export type WatchedBalance = Balance &
  ReadingStamp & {
    /** Null at the first reading of all, and where the one before cannot be read from the cursor. */
    readonly previous: Amount | null
  }

/** Parameters of {@link watchBalance}. */
export type WatchBalanceParameters = PollOptions & {
  /** Asks the network; it is not closed with the watch. */
  readonly client: ClientCore
  /** 02 or 03 and 64 hex digits. */
  readonly address: string
  /** @default the network's native token */
  readonly tokenId?: string | undefined
  /** Store and name of the last amount. One that cannot be read is reported once. @default not stored */
  readonly cursor?: KeptAt | undefined
  /** At the first reading and whenever the amount differs from the one before. */
  readonly onChange: (balance: WatchedBalance) => void
  /** At every reading. */
  readonly onRead?: ((balance: WatchedBalance) => void) | undefined
  /** Called with each failed reading; the watch goes on by itself. */
  readonly onError?: OnError | undefined
}

/** As {@link WatchBalanceParameters}, with an address that was parsed. */
export type FollowBalanceParameters = WatchBalanceParameters & { readonly address: Address }

const UNKNOWN = 'its answers do not agree'

/**
 * Follows the balance of one token: read at once and after macroblocks whose rewards were booked, from the node
 * that has them. A failure is reported and repeated; it never turns into a zero. Less than before is told when 32 answers
 * in a row say so, or those of several macroblocks: one node behind the address may be behind the chain.
 */
export function watchBalance(
  parameters: FollowBalanceParameters & Partial<Pick<NamedAccounts, 'isConcerned'>>,
): EarningReading {
  const { client, address, tokenId, pollIntervalMs } = parameters
  const onChange = guarded(parameters.onChange, listenerReport('balance', parameters))
  const onRead = guarded(parameters.onRead, listenerReport('balance reading', parameters))
  const kept = keptValue<Pick<Balance, 'amount' | 'isKnown'>>(parameters.cursor)
  let held: HeldBalance | undefined
  /** The store has the balance that was told last. */
  let isKept = true

  async function read({ core, at, stamp }: ReadingPlace, signal: AbortSignal): Promise<boolean> {
    let unread: NodeError | undefined
    const restored = () =>
      kept.read().catch((error: NodeError) => {
        unread = error
        return null
      })
    // Held only after an answer: while the API does not answer, the name of the cursor cannot be looked up either.
    const before = held ?? { ...NOTHING_HELD, last: await restored() }
    const { last } = before
    const ask = (): Promise<Balance> => getBalance(core, { address, tokenId, signal })
    // The name of the cursor could not be looked up: a node that is starting has neither block 0 nor the account.
    const isNamed = unread === undefined || isNodeError(unread, 'CURSOR_STORE_FAILED')
    // One answer is enough to see that.
    if (!isNamed && !(await ask()).isKnown) throw unread
    const found = await readBalance(before, momentOf(core, at), ask)
    if (signal.aborted) return false
    if (!isNamed && found.balance?.isKnown !== true) throw unread
    // The balance itself is known without what was kept.
    if (unread !== undefined) errorListener(parameters)(unread)
    const { balance } = found
    held = found.held
    if (balance === null) throw apiError('RESPONSE_INVALID', { path: '/balance', reason: UNKNOWN })
    const watched = {
      ...balance,
      ...stamp(),
      previous: last?.amount ?? null,
    }
    onRead(watched)
    if (held.last !== null && held.last !== last) {
      isKept = false
      onChange(watched)
    }
    if (held.last !== null && !isKept) {
      await kept.write(held.last)
      isKept = true
    }
    return false
  }

  const tip = followTip(client, {
    pollIntervalMs,
    onCalculated: ({ keyBlock: { height } }) => {
      if (held && isDisputed(held, height)) reading.readNow()
    },
  })
  const reading = readAccount({ ...parameters, read })
  return { ...reading, ...watchHandle(tip.leave, reading.stop) }
}
