import { useEffect, useState } from 'preact/hooks'
import { type Answer, AskFailure, ask } from './ask.ts'

export type Asked<Data> = {
  /** Stays while a newer one is fetched. */
  readonly answer: Answer<Data> | null
  readonly failure: string | null
}

const REFRESH_MS = 15_000

/** Returns the API's answer for a path, fetched anew every 15 s while the page is visible. Null fetches nothing. */
export function useAnswer<Data>(path: string | null): Asked<Data> {
  const [asked, setAsked] = useState<Asked<Data> & { readonly path: string | null }>({
    answer: null,
    failure: null,
    path: null,
  })
  useEffect(() => {
    if (path === null) return
    let isLeft = false
    const load = async (): Promise<void> => {
      try {
        const answer = await ask<Data>(path)
        if (!isLeft) setAsked({ answer, failure: null, path })
      } catch (error) {
        if (!(error instanceof AskFailure)) throw error
        if (!isLeft)
          setAsked((before) => ({
            answer: before.path === path ? before.answer : null,
            failure: error.message,
            path,
          }))
      }
    }
    void load()
    const timer = setInterval(() => {
      if (document.visibilityState === 'visible') void load()
    }, REFRESH_MS)
    return () => {
      isLeft = true
      clearInterval(timer)
    }
  }, [path])
  return asked.path === path ? asked : { answer: null, failure: null }
}
