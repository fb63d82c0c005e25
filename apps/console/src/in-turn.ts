import { RefusedError } from './people/refused-error.ts'

/** Runs steps one after the other in the order in which they came. */
export type InTurn = <Result>(step: () => Promise<Result>) => Promise<Result>

/**
 * Returns a function that bounds memory: of its steps one runs, and at most `limit` wait.
 *
 * @param parameters.refusal sentence for who comes when so many wait
 */
export function createTurns({
  limit,
  refusal,
}: {
  readonly limit: number
  readonly refusal: string
}): InTurn {
  let last: Promise<unknown> = Promise.resolve()
  let waiting = 0
  return (step) => {
    if (waiting >= limit) return Promise.reject(new RefusedError(503, refusal))
    waiting++
    const result = last.then(step).finally(() => waiting--)
    last = result.catch(() => {})
    return result
  }
}
