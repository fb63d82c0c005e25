import type { Address, TokenId } from '@hailstone/mining-node'
import type { RemoteClient } from '../host/mining-host.ts'

const ANSWERS = 4

/** Pause before a question that a person asked once is repeated, in ms: three of them outlast a macroblock of two seconds. */
export const PAUSE_MS = 1_000

/**
 * Repeats a question while the answer is no, at most four times in all: one address may lead to several nodes, and some of
 * them may be behind.
 *
 * @param pauseMs time before each repetition; none where the question is asked again with every macroblock
 * @returns the first answer that is not a no, or the last no
 */
export async function repeatedNo<T>(
  ask: () => Promise<T>,
  isNo: (answer: T) => boolean,
  pauseMs = 0,
): Promise<T> {
  let answer = await ask()
  for (let asked = 1; asked < ANSWERS && isNo(answer); asked++) {
    if (pauseMs > 0) await new Promise((resolve) => setTimeout(resolve, pauseMs))
    answer = await ask()
  }
  return answer
}

/**
 * Reads the balance of an account. An account that the network does not know has zero, once the answer was repeated.
 *
 * @param shown units that are shown already: where they are none, the answer changes nothing and is not repeated
 */
export const balanceOf = (
  client: Pick<RemoteClient, 'getBalance'>,
  asked: { readonly address: Address; readonly tokenId: TokenId },
  shown?: bigint | null,
): ReturnType<RemoteClient['getBalance']> =>
  repeatedNo(
    () => client.getBalance(asked),
    ({ isKnown }) => !isKnown && shown !== 0n,
  )
