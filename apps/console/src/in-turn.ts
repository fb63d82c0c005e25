import { RefusedError } from './people/refused-error.ts'

/** Who a step is for. */
export type Asker = {
  /** Steps of the same name are counted together. @default counted by nobody */
  readonly name?: string | undefined
  /** A step that waits when it fires never begins; its promise rejects at once. */
  readonly signal?: AbortSignal | undefined
}

/** Runs steps one after the other in the order in which they came. */
export type InTurn = <Result>(step: () => Promise<Result>, asker?: Asker) => Promise<Result>

/**
 * Returns a function that bounds memory: of its steps one runs, and all that are there are at most `limit`.
 *
 * @param parameters.limitOfOne most of them for one name. Default: `limit`
 * @param parameters.refusal sentence for who comes when so many are there
 */
export function createTurns({
  limit,
  limitOfOne = limit,
  refusal,
}: {
  readonly limit: number
  readonly limitOfOne?: number | undefined
  readonly refusal: string
}): InTurn {
  let last: Promise<unknown> = Promise.resolve()
  const all = new Set<{ readonly name: string | undefined }>()
  const isFull = (name: string | undefined): boolean =>
    all.size >= limit ||
    (name !== undefined && [...all].filter((other) => other.name === name).length >= limitOfOne)
  return (step, { name, signal } = {}) => {
    if (isFull(name)) return Promise.reject(new RefusedError(503, refusal))
    const place = { name }
    all.add(place)
    let leave = (): void => {}
    const left = new Promise<never>((_, reject) => {
      leave = () => {
        all.delete(place)
        reject(signal?.reason)
      }
    })
    signal?.addEventListener('abort', leave, { once: true })
    const turn = last.then(() => {
      signal?.throwIfAborted()
      signal?.removeEventListener('abort', leave)
      return step()
    })
    last = turn.catch(() => {})
    return Promise.race([turn, left]).finally(() => all.delete(place))
  }
}
