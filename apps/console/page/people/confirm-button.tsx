import type { JSX } from 'preact'
import { useState } from 'preact/hooks'

/** A button that asks once more before it acts. */
export function ConfirmButton({
  text,
  of,
  question,
  onConfirm,
}: {
  readonly text: string
  /** The thing it acts on, for those who hear the button alone. */
  readonly of: string
  readonly question: string
  readonly onConfirm: () => void
}): JSX.Element {
  const [isAsked, setAsked] = useState(false)
  return (
    <button
      type="button"
      aria-label={`${isAsked ? question : text}: ${of}`}
      class={isAsked ? 'grave' : ''}
      onBlur={() => setAsked(false)}
      onClick={() => {
        if (isAsked) onConfirm()
        setAsked(!isAsked)
      }}
    >
      {isAsked ? question : text}
    </button>
  )
}
