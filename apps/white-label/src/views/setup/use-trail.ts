import { useEffect, useRef, useState } from 'react'

type Trail<Step> = {
  readonly step: Step
  readonly goOn: (next: Step) => void
  /** Returns to the step before, as Back of the browser does. */
  readonly goBack: () => void
  /** Forgets the steps so far: their entries lead to the first one. */
  readonly restart: () => void
}

const numberIn = (state: unknown): number => (state as { readonly step?: number } | null)?.step ?? 0

/**
 * Gives each step an entry in the history, so that Back of the browser leads to the step before and not out of the app.
 * An entry has the number of its step alone; which step it means is known to this page, and no other one after it. A
 * page inside of another one shares that one's history and adds nothing to it.
 *
 * @param onMove called after each movement in the history
 */
export function useTrail<Step>(first: Step, onMove: () => void): Trail<Step> {
  const steps = useRef<Step[]>([])
  const at = useRef(numberIn(history.state))
  const moved = useRef(onMove)
  moved.current = onMove
  const [step, setStep] = useState(first)
  useEffect(() => {
    const follow = ({ state }: PopStateEvent): void => {
      at.current = numberIn(state)
      setStep(steps.current[at.current] ?? first)
      moved.current()
    }
    addEventListener('popstate', follow)
    return () => removeEventListener('popstate', follow)
  }, [])
  const isAlone = parent === window
  return {
    step,
    goOn: (next) => {
      setStep(next)
      if (!isAlone) return
      steps.current = steps.current.slice(0, ++at.current)
      steps.current[at.current] = next
      history.pushState({ step: at.current }, '')
    },
    goBack: () => (isAlone ? history.back() : setStep(first)),
    restart: () => {
      steps.current = []
      setStep(first)
    },
  }
}
