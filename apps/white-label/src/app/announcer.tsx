import { type ReactNode, useEffect, useState } from 'react'

const listeners = new Set<(sentence: string) => void>()

/** Says a sentence to people who listen to the screen. */
export function announce(sentence: string): void {
  for (const listener of listeners) listener(sentence)
}

export function Announcer(): ReactNode {
  const [{ sentence, turn }, setSaid] = useState({ sentence: '', turn: 0 })
  useEffect(() => {
    // What is said twice has to be new twice, or it is heard once.
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
