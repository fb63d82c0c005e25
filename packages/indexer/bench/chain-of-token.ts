import type { TokenId } from '@hailstone/protocol'
import { peopleOf } from '../test/population.ts'
import { openTestChain, transfer } from '../test/test-chain.ts'

export type ChainOfToken = AsyncDisposable & {
  readonly apiUrl: string
  readonly tokenId: TokenId
}

const MICROBLOCKS = 8

/**
 * Opens a chain of blocks with eight microblocks of one payment each, calculated by the real ledger and served by the real
 * API.
 *
 * @param size.ownOf one of so many microblocks is in the token, the others in the native one
 */
export async function openChainOfToken(size: {
  readonly blocks: number
  readonly ownOf: number
}): Promise<ChainOfToken> {
  const chain = await openTestChain(`one of ${size.ownOf}`)
  const people = peopleOf(chain)
  const tokenId: TokenId = chain.token.id
  const nativeId = chain.genesis.tokens.native.id
  const personAt = (number: number) => people[number % people.length] ?? chain.token.owner
  for (let block = 0; block < size.blocks; block++)
    await chain.close(
      Array.from({ length: MICROBLOCKS }, (_, at) => {
        const of = at % size.ownOf === 0 ? tokenId : nativeId
        const payment = { from: personAt(block), to: personAt(block + at + 1), amount: 1000n, tokenId: of }
        return { publisher: personAt(at + block), tokenId: of, transactions: [transfer(payment)] }
      }),
      15,
    )
  return { apiUrl: chain.apiUrl, tokenId, [Symbol.asyncDispose]: () => chain[Symbol.asyncDispose]() }
}
