/**
 * What an unsigned answer said, and how often it was repeated. "No", "nothing" and "less than before" are claims: each
 * says what one node knew at one moment. A claim counts as a fact when it was repeated without contradiction, over time,
 * and by every source that is configured.
 */
export type Claim = {
  /** Answers in a row that made the claim. */
  readonly answers: number
  /** Time of the first one, in ms of a clock that does not jump. */
  readonly sinceMs: number
  /** Time of the last one. */
  readonly lastMs: number
  /** Who made it: bases of API nodes, or addresses of gateways. */
  readonly sources: readonly string[]
}

/** What it takes to believe a claim. */
export type Proof = {
  readonly answers: number
  /** Milliseconds between the first and the last answer. @default 0 */
  readonly overMs?: number | undefined
  /** Every one of these made the claim. @default none in particular */
  readonly sources?: readonly string[] | undefined
}

/** Adds an answer that makes the claim. A contradiction drops the claim: begin with null again. */
export const repeated = (
  before: Claim | null,
  { source, atMs }: { readonly source: string; readonly atMs: number },
): Claim => ({
  answers: (before?.answers ?? 0) + 1,
  sinceMs: before?.sinceMs ?? atMs,
  lastMs: atMs,
  sources: before?.sources.includes(source) ? before.sources : [...(before?.sources ?? []), source],
})

/** True if a claim was repeated often enough, long enough and by everyone. */
export const isProved = (claim: Claim | null, { answers, overMs = 0, sources = [] }: Proof): boolean =>
  claim !== null &&
  claim.answers >= answers &&
  claim.lastMs - claim.sinceMs >= overMs &&
  sources.every((source) => claim.sources.includes(source))
