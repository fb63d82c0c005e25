import type { Hash } from '@hailstone/protocol'

/** Microblock hashes that were signed, in generations so that withMemory one more copies little. */
export type AnsweredHashes = readonly ReadonlySet<Hash>[]

const GENERATION_SIZE = 256
const GENERATIONS = 256

export const NO_ANSWERS: AnsweredHashes = []

/** Knows the newest 65,536; a beacon replayed from before that names a key block that is long closed. */
export const isAnswered = (answered: AnsweredHashes, hash: Hash): boolean =>
  answered.some((generation) => generation.has(hash))

export function withAnswer(answered: AnsweredHashes, hash: Hash): AnsweredHashes {
  const [newest, ...older] = answered
  if (newest === undefined || newest.size >= GENERATION_SIZE) {
    return [new Set([hash]), ...answered].slice(0, GENERATIONS)
  }
  return [new Set([...newest, hash]), ...older]
}
