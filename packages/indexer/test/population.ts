import { type Address, sha256Hex } from '@hailstone/protocol'
import type { Random } from './random.ts'
import { type TestChain, type TestMicroblock, transfer } from './test-chain.ts'

/** Returns an address that nobody has the key of. */
export const addressNamed = (name: string): Address => `02${sha256Hex(name)}` as Address

/** Accounts of a history: those that hold the token, and some that begin with nothing. */
export function peopleOf({ genesis }: TestChain): readonly Address[] {
  const { developers, tokenOwner } = genesis.accounts
  const own = developers.map((account) => account.address)
  return [...own, tokenOwner.address, ...['a', 'b', 'c', 'd', 'e'].map(addressNamed)]
}

const PAUSES = [15, 900, 3600, 40_000, 86_400, 4 * 86_400, 9 * 86_400, 33 * 86_400]

/** Closes a macroblock of random payments and microblocks; seconds pass as in the list. @param pauses hours to weeks */
export async function closeRandom(chain: TestChain, random: Random, pauses = PAUSES): Promise<void> {
  const people = peopleOf(chain)
  const native = chain.genesis.tokens.native.id
  const amounts = [0n, 1n, 10n ** 3n, 10n ** 9n, 10n ** 11n, 10n ** 13n, 10n ** 19n]
  const payments = Array.from({ length: random.below(4) }, () =>
    transfer({
      ...{ from: random.pick(people), to: random.pick(people), amount: random.pick(amounts) },
      tokenId: random.below(5) === 0 ? native : chain.token.id,
    }),
  )
  const microblocks = Array.from({ length: 1 + random.below(4) }, (_, at): TestMicroblock => {
    const agent = random.below(2) === 0 ? random.pick(people) : undefined
    const isOwn = random.below(5) > 0
    const filler = transfer({
      from: random.pick(people),
      to: random.pick(people),
      amount: 5n,
      tokenId: native,
    })
    return {
      ...{ publisher: random.pick(people), agent, tokenId: isOwn ? chain.token.id : native },
      transactions: at === 0 ? [...payments, filler] : [filler],
    }
  })
  await chain.close(microblocks, random.pick(pauses))
}
