import { useLayoutEffect, useRef } from 'react'

/** Requests something on behalf of a component, and gives it the answer only as long as the component is there. */
export type Ask = <T>(request: (signal: AbortSignal) => Promise<T>) => Promise<T>

/**
 * Returns a function that requests something for this component. When the component leaves, the signal of its requests is
 * aborted, and their promises stay pending: nothing that stands after `await ask(…)` is run for somebody who has left.
 * Work that has to be finished even after the asker left is part of the request itself.
 */
export function useAsker(): Ask {
  const asker = useRef(new AbortController())
  // Other effects end a frame after the component has gone from the page.
  useLayoutEffect(() => {
    // A component that waits for the code of a part leaves the page and comes back as it was.
    if (asker.current.signal.aborted) asker.current = new AbortController()
    return () => asker.current.abort()
  }, [])
  const ask = useRef<Ask>((request) => {
    const { signal } = asker.current
    return new Promise((resolve, reject) => {
      if (signal.aborted) return
      request(signal).then(
        (answer) => signal.aborted || resolve(answer),
        (error) => signal.aborted || reject(error),
      )
    })
  })
  return ask.current
}
