import { type ReactNode, useEffect, useState } from 'react'
import { useTexts } from '../app/app-context.ts'

/** Time after which nobody believes in an answer any more, in ms. */
const LATE_MS = 20_000

/**
 * Shows the placeholder of something that is being read; after a while a sentence and a way on in its place. Nothing is
 * loaded for these: where one answer does not come, no other may either.
 */
export function Waiting({ children }: { readonly children: ReactNode }): ReactNode {
  const { text } = useTexts()
  const [isLate, setLate] = useState(false)
  useEffect(() => {
    const timer = setTimeout(setLate, LATE_MS, true)
    return () => clearTimeout(timer)
  }, [])
  return isLate ? (
    <div className="notice notice-warning notice-late" role="alert">
      <p className="notice-text">{text('late.text')}</p>
      <button type="button" className="button" onClick={() => location.reload()}>
        {text('late.again')}
      </button>
    </div>
  ) : (
    children
  )
}
