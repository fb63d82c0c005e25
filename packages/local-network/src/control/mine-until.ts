import { setTimeout as sleep } from 'node:timers/promises'
import { assertArgument } from '@hailstone/protocol'
import { assertKinds } from '../assert-kinds.ts'
import { controlRefused } from './control-refused.ts'
import { kindsOfWait, type MineUntilRewardedOptions } from './mine-until-rewarded.ts'

/**
 * @throws {NodeError} `CONTROL_REFUSED` when the time is over, `ARGUMENT_INVALID`; the reason of the signal; what the promise
 *   rejects with
 */
export type MineUntil = <T>(promise: PromiseLike<T>, options?: MineUntilRewardedOptions) => Promise<T>

/** Macroblocks that a promise may be waiting for, such as the depth of a payment; further ones are given more time. */
const FEW = 6
/** Between two macroblocks: whoever asks the chain for news gets it in between. */
const pauseMs = (mined: number): number => (mined < FEW ? 20 : 200)

/** Makes `mineUntil`, which closes one macroblock after the other until a promise is settled. */
export const createMineUntil =
  (mine: () => Promise<unknown>): MineUntil =>
  async (promise, options = {}) => {
    const isPromise = typeof Object(promise).then === 'function'
    assertArgument(isPromise, 'promise', 'a promise, such as payment.settled()', promise)
    assertKinds('of mineUntil', options, kindsOfWait)
    const { timeoutMs = 60_000, signal } = options
    let isOver = false
    const over = (): void => {
      isOver = true
    }
    const settled = Promise.resolve(promise)
    settled.then(over, over)
    const endAt = performance.now() + timeoutMs
    for (let mined = 0; !isOver; mined++) {
      signal?.throwIfAborted()
      if (performance.now() > endAt)
        throw controlRefused(`the promise was not settled within ${timeoutMs} ms`)
      await mine()
      await Promise.race([settled.catch(() => undefined), sleep(pauseMs(mined), undefined, { signal })])
    }
    return settled
  }
