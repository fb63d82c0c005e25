import { useEffect, useState } from 'preact/hooks'
import { type Answer, AskFailure, ask } from './ask.ts'
import { isLive, type Tip, watchTip } from './live.ts'

export type Asked<Data> = {
  /** Stays while a newer one is fetched. */
  readonly answer: Answer<Data> | null
  readonly failure: string | null
}

/** Interval of questions while no stream says what is new, in ms. */
const REFRESH_MS = 15_000

const keyOf = ({ height, state, reorganisations, activeAlerts, alertsFailure }: Tip): string =>
  `${height} ${state} ${reorganisations} ${activeAlerts} ${alertsFailure}`

/**
 * Returns the API's answer for a path, fetched anew when the console says that something is new, and every 15 s while
 * it cannot say so. A page that nobody sees asks nothing. Null fetches nothing.
 *
 * @param changes counts what the page itself changed: another number asks anew
 */
export function useAnswer<Data>(path: string | null, changes = 0): Asked<Data> {
  const [asked, setAsked] = useState<Asked<Data> & { readonly path: string | null }>({
    answer: null,
    failure: null,
    path: null,
  })
  useEffect(() => {
    if (path === null) return
    let [isLeft, isAsking] = [false, false]
    /** Of the newest answer, and of the newest message. */
    let [answered, announced]: [string | null, string | null] = [null, null]
    const load = async (): Promise<void> => {
      if (isAsking) return
      isAsking = true
      const before = announced
      try {
        const answer = await ask<Data>(path)
        answered = keyOf(answer.status)
        if (!isLeft) setAsked({ answer, failure: null, path })
      } catch (error) {
        if (!(error instanceof AskFailure)) throw error
        answered = null
        if (!isLeft)
          setAsked((last) => ({
            answer: last.path === path ? last.answer : null,
            failure: error.message,
            path,
          }))
      } finally {
        isAsking = false
      }
      // Once for each message, so that an answer that stays another one is not asked for without an end.
      if (!isLeft && announced !== before && announced !== answered) void load()
    }
    void load()
    const unwatch = watchTip((tip) => {
      announced = keyOf(tip)
      if (announced !== answered) void load()
    })
    const timer = setInterval(() => {
      if (document.visibilityState === 'visible' && !isLive()) void load()
    }, REFRESH_MS)
    return () => {
      isLeft = true
      unwatch()
      clearInterval(timer)
    }
  }, [path, changes])
  return asked.path === path ? asked : { answer: null, failure: null }
}
