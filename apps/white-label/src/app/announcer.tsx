import { type ReactNode, useEffect, useState } from 'react'

const listeners = new Set<(sentence: string) => void>()

/** Announces a sentence to screen readers. */
export function announce(sentence: string): void {
  for (const listener of listeners) listener(sentence)
}

export function Announcer(): ReactNode {
  const [{ sentence, turn }, setSaid] = useState({ sentence: '', turn: 0 })
  useEffect(() => {
    // A repeated sentence needs a new value, or screen readers announce it only once.
    const say = (next: string): void => setSaid((said) => ({ sentence: next, turn: said.turn + 1 }))
    listeners.add(say)
    return () => {
      listeners.delete(say)
    }
  }, [])
  return (
    <p className="visually-hidden" aria-live="polite" data-announced="">
      <span key={turn}>{sentence}</span>
    </p>
  )
}
