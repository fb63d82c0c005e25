import type { ReactNode } from 'react'
import { useTexts } from '../app/app-context.ts'
import { Icon } from './icon.tsx'

/** Opens the system's share sheet; hidden where there is none. */
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
      // Closing the share sheet is not an error.
      onClick={() => void navigator.share({ text: message, url: link }).catch(() => undefined)}
    >
      <Icon name="share" />
      {text('common.share')}
    </button>
  )
}
