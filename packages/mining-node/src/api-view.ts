import type { ClientCore, PinnedCore } from '@hailstone/client'
import { type Claim, isProved, repeated } from '@hailstone/runtime'
import type { Doubt } from './session/state.ts'

/** What the API says of the token that is mined, or of the network: "no" is a claim, "yes" a fact. */
export type ApiView = {
  /** What it says against mining; null where it said nothing or nothing against it. */
  readonly doubt: Doubt | null
  /** How often it said so. */
  readonly claim: Claim | null
  /** True once it said the opposite: a doubt is waited out from then on. */
  readonly isAccepted: boolean
}

export const NOTHING_SAID: ApiView = { doubt: null, claim: null, isAccepted: false }

/** Answers of each node after which a doubt ends mining, and the time between the first and the last one. */
const ANSWERS = 6
const OVER_MS = 180_000
/** Of two answers that both count: a node that restarts says the same many times in a moment. */
const APART_MS = 30_000

/**
 * Takes in what the API said.
 *
 * @param said.sources the nodes that said it
 * @param said.atMs by a clock that does not jump
 */
export function heard(
  before: ApiView,
  said: { readonly doubt: Doubt | null; readonly sources: readonly string[]; readonly atMs: number },
): ApiView {
  const { doubt, sources, atMs } = said
  if (doubt === null) return { doubt, claim: null, isAccepted: true }
  const claim = before.doubt?.kind === doubt.kind ? before.claim : null
  if (claim !== null && atMs - claim.lastMs < APART_MS) return { ...before, doubt }
  return { ...before, doubt, claim: sources.reduce((all, source) => repeated(all, { source, atMs }), claim) }
}

/** Returns the reason for which mining ends; null while it goes on or waits. */
export function endOf({ doubt, claim, isAccepted }: ApiView): Doubt['kind'] | null {
  const answers = ANSWERS * (claim?.sources.length ?? 0)
  return doubt !== null && !isAccepted && isProved(claim, { answers, overMs: OVER_MS }) ? doubt.kind : null
}

/**
 * Asks one node and, where it says "no", all others until one says "yes". Those that fail, or answer undefined, say
 * nothing.
 *
 * @returns the answer and the nodes that gave it
 * @throws {NodeError} what asking the first node throws
 */
export async function untilYes<T>(
  core: PinnedCore,
  ask: (core: PinnedCore) => Promise<T>,
  isNo: (answer: T) => boolean,
  nodes: ReturnType<NonNullable<ClientCore['transport']['nodes']>> = [],
): Promise<{ readonly answer: T; readonly sources: readonly string[] }> {
  const answer = await ask(core)
  const sources = [core.source]
  for (const transport of isNo(answer) ? nodes : []) {
    const { source } = transport
    if (source === core.source) continue
    const other = await ask({ ...core, transport, source }).catch(() => undefined)
    if (other === undefined) continue
    if (!isNo(other)) return { answer: other, sources: [source] }
    sources.push(source)
  }
  return { answer, sources }
}

/** Names nodes without their paths, which may hold a secret. */
export const hostsOf = (sources: readonly string[]): string =>
  sources.map((source) => source.replace(/^\w+:\/\/|\/.*/g, '')).join(' and ')
