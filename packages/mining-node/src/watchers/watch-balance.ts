import type { Balance, Client } from '@hailstone/client'
import type { Address, Amount, TokenId } from '@hailstone/protocol'
import { chainTipOf } from './chain-tip.ts'
import type { OnError } from './failure.ts'
import { guarded } from './guarded.ts'
import { onDemand } from './repeat.ts'
import { POLL_INTERVAL_MS, type PollOptions, type Watch, watchHandle } from './watch-handle.ts'

/** A balance and when it was read. */
export type WatchedBalance = Balance & {
  /** Null at the first reading. */
  readonly previous: Amount | null
  /** Unix milliseconds. */
  readonly readAtMs: number
  /** Height of the newest calculated macroblock at the time, null before one was seen. */
  readonly height: number | null
}

export type WatchBalanceParameters = PollOptions & {
  readonly client: Client
  readonly address: Address
  /** @default the network's native token */
  readonly tokenId?: TokenId | undefined
  /** At the first reading and whenever the amount differs from the one before. */
  readonly onChange: (balance: WatchedBalance) => void
  /** At every reading. */
  readonly onRead?: ((balance: WatchedBalance) => void) | undefined
  readonly onError?: OnError | undefined
}

/**
 * Follows the balance of one token: read at once and after every macroblock whose rewards were booked. A
 * failure is reported and repeated; it never turns into a zero.
 */
export function watchBalance(parameters: WatchBalanceParameters): Watch {
  const { client, address, tokenId, onError = () => undefined } = parameters
  const { pollIntervalMs: intervalMs = POLL_INTERVAL_MS } = parameters
  const onChange = guarded({ event: 'balance', callback: parameters.onChange, onError })
  const onRead = guarded({ event: 'balance reading', callback: parameters.onRead, onError })
  let last: Balance | null = null
  let height: number | null = null

  async function read(signal: AbortSignal): Promise<void> {
    const heightBefore = height
    const balance = await client.getBalance({ address, tokenId, signal })
    if (signal.aborted) return
    const previous = last?.amount ?? null
    const isNews = last === null || last.amount !== balance.amount || last.isKnown !== balance.isKnown
    last = balance
    const watched = { ...balance, previous, readAtMs: client.clock.now(), height: heightBefore }
    void onRead(watched)
    if (isNews) void onChange(watched)
  }

  const reading = onDemand({ pace: client, intervalMs, task: read, onError })
  const leave = chainTipOf(client).subscribe({
    pollIntervalMs: intervalMs,
    onCalculated: ({ keyBlock }) => {
      height = keyBlock.height
      reading.trigger()
    },
  })
  reading.trigger()
  return watchHandle(async () => {
    await Promise.all([leave(), reading.stop()])
  })
}
