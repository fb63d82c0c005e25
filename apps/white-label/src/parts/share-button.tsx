import type { ReactNode } from 'react'
import { useTexts } from '../app/app-context.ts'
import { Icon } from './icon.tsx'

/** The system's own way to share, where there is one. */
export function ShareButton({
  text: message,
  link,
}: {
  readonly text: string
  readonly link: string
}): ReactNode {
  const { text } = useTexts()
  if (typeof navigator.share !== 'function') return null
  return (
    <button
      type="button"
      className="button"
      // A person who closes the sheet again has done nothing wrong.
      onClick={() => void navigator.share({ text: message, url: link }).catch(() => undefined)}
    >
      <Icon name="share" />
      {text('common.share')}
    </button>
  )
}
