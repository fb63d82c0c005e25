import { isNodeError } from '@hailstone/protocol'
import { useEffect, useState } from 'preact/hooks'

/** State of a request that is repeated. */
export type Known<T> = {
  /** The newest answer; it stays when a later question fails. Undefined before the first. */
  readonly value: T | undefined
  /** Reason of the last failed request. */
  readonly failure: string | undefined
  readonly isFirst: boolean
}

/**
 * Returns the sentence of an error; also for requests refused before sending, such as an address with a letter too
 * few.
 */
function sentenceOf(error: unknown): string {
  if (isNodeError(error)) return error.message
  const why = error instanceof Error ? error.message : String(error)
  return `The node cannot be reached, or does not answer well: ${why}`
}

const EVERY_MS = 1_000

/** Asks at once and then every second while the page is looked at, as long as the key stays the same. */
export function useAnswer<T>(key: string, question: (signal: AbortSignal) => Promise<T>): Known<T> {
  const [known, setKnown] = useState<Known<T> & { readonly key: string }>({ key, ...nothing })
  useEffect(() => {
    const leaving = new AbortController()
    let timer: ReturnType<typeof setTimeout> | undefined
    const again = async (): Promise<void> => {
      if (!document.hidden) {
        try {
          const value = await question(leaving.signal)
          setKnown({ key, value, failure: undefined, isFirst: false })
        } catch (error) {
          if (leaving.signal.aborted) return
          const failure = sentenceOf(error)
          setKnown((before) => ({
            ...(before.key === key ? before : { ...nothing, key }),
            failure,
            isFirst: false,
          }))
        }
      }
      if (!leaving.signal.aborted) timer = setTimeout(again, EVERY_MS)
    }
    void again()
    return () => {
      leaving.abort()
      clearTimeout(timer)
    }
  }, [key])
  return known.key === key ? known : nothing
}

const nothing = { value: undefined, failure: undefined, isFirst: true } as const
