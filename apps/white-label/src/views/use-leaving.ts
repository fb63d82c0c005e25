import { useEffect, useRef } from 'react'

/** Returns a function that gives a signal, which ends when the component does. */
export function useLeaving(): () => AbortSignal {
  const controller = useRef<AbortController | null>(null)
  useEffect(() => () => controller.current?.abort(), [])
  return () => {
    controller.current = new AbortController()
    return controller.current.signal
  }
}
