import { type ReactNode, useEffect, useState } from 'react'

const listeners = new Set<(sentence: string) => void>()

/** Says a sentence to people who listen to the screen. */
export function announce(sentence: string): void {
  for (const listener of listeners) listener(sentence)
}

export function Announcer(): ReactNode {
  const [sentence, setSentence] = useState('')
  useEffect(() => {
    listeners.add(setSentence)
    return () => {
      listeners.delete(setSentence)
    }
  }, [])
  return (
    <p className="visually-hidden" aria-live="polite" data-announced="">
      {sentence}
    </p>
  )
}
