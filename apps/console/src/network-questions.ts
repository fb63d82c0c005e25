import { createTurns } from './in-turn.ts'

/** Time for which an answer is given again, in ms. */
const FRESH_MS = 5_000
/** Questions that wait for their turn; each may be fifty calls of the API. */
const MAX_WAITING = 32
/** Those of one person, so that a program that asks about every miner leaves room for others. */
const MAX_OF_PERSON = 8
const MAX_KEPT = 256

type Kept = { readonly answer: Promise<unknown>; isUnderWay: boolean; freshUntil: number }

/**
 * Runs `ask` at its turn, and resolves with its answer; or with the answer of the same `key`, if that one is under way or at
 * most five seconds old.
 *
 * @param name of the person whose questions are counted; without it they have no limit of their own
 * @throws {RefusedError} 503 if 32 questions wait, or 8 of this person; what `ask` throws
 */
export type NetworkQuestions = <Answer>(
  key: string,
  ask: () => Promise<Answer>,
  name?: string | undefined,
) => Promise<Answer>

/**
 * Bounds what people ask the network through the console: one question at a time, the same question once within
 * five seconds, and no more than 32 that wait, 8 of one person. A failure is not kept.
 *
 * @param clock in ms; default: `performance.now`
 */
export function createNetworkQuestions(clock: () => number = () => performance.now()): NetworkQuestions {
  const inTurn = createTurns({
    limit: MAX_WAITING,
    limitOfOne: MAX_OF_PERSON,
    refusal: 'Too many questions to the network are waiting. Try again in a minute.',
  })
  const kept = new Map<string, Kept>()
  return <Answer>(key: string, ask: () => Promise<Answer>, name?: string): Promise<Answer> => {
    const atMs = clock()
    for (const [name, { isUnderWay, freshUntil }] of kept)
      if (!isUnderWay && (freshUntil <= atMs || kept.size > MAX_KEPT)) kept.delete(name)
    const before = kept.get(key)
    if (before !== undefined) return before.answer as Promise<Answer>
    const answer = inTurn(ask, { name })
    const entry: Kept = { answer, isUnderWay: true, freshUntil: 0 }
    kept.set(key, entry)
    answer.then(
      () => Object.assign(entry, { isUnderWay: false, freshUntil: clock() + FRESH_MS }),
      () => kept.delete(key),
    )
    return answer
  }
}
