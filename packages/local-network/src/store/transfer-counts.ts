import type { Hash, TokenId } from '@hailstone/protocol'

export type TransferCount = { readonly tokenId: TokenId; readonly count: number }

/**
 * Confirmed transfers by token, one entry for each round in which the token has any. A round is what the public
 * software calculates at once; it starts a token's count with 1 however many the first round has, so rounds
 * must stay apart (PROTOCOL 3.5.8).
 */
export function countTransfers(parameters: {
  /** In the order of calculation. */
  readonly microblockHashes: readonly Hash[]
  readonly confirmed: readonly { readonly hash: Hash; readonly microblockHash: Hash }[]
  readonly tokenOf: (transactionHash: Hash) => TokenId | undefined
  readonly microblocksPerBatch: number
}): readonly TransferCount[] {
  const { microblockHashes, confirmed, tokenOf, microblocksPerBatch } = parameters
  const roundOf = new Map(microblockHashes.map((hash, at) => [hash, Math.floor(at / microblocksPerBatch)]))
  const rounds = new Map<number, Map<TokenId, number>>()
  for (const { hash, microblockHash } of confirmed) {
    const tokenId = tokenOf(hash)
    const round = roundOf.get(microblockHash)
    if (tokenId === undefined || round === undefined) continue
    const counts = rounds.get(round) ?? new Map<TokenId, number>()
    rounds.set(round, counts.set(tokenId, (counts.get(tokenId) ?? 0) + 1))
  }
  return [...rounds.values()].flatMap((counts) =>
    Array.from(counts, ([tokenId, count]) => ({ tokenId, count })),
  )
}
