import type { Address, TokenId } from '@hailstone/mining-node'
import type { RemoteClient } from '../host/mining-host.ts'

const ANSWERS = 4

/** Asks. An answer that says no counts once it was repeated: one address may lead to several nodes, some of them behind. */
export async function repeatedNo<T>(ask: () => Promise<T>, isNo: (answer: T) => boolean): Promise<T> {
  let answer = await ask()
  for (let asked = 1; asked < ANSWERS && isNo(answer); asked++) answer = await ask()
  return answer
}

/**
 * Reads the balance of an account. That the network has none counts once it was repeated: it is shown as zero.
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
