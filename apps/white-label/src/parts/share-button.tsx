import type { ReactNode } from 'react'
import { useTexts } from '../app/app-context.ts'
import { nativeBridge } from '../host/is-package.ts'
import { Icon } from './icon.tsx'

type Share = (given: { readonly text: string; readonly url: string }) => Promise<unknown>

/** Returns the function that opens the system's share sheet; undefined if the system has no share sheet. */
function shareSheet(): Share | undefined {
  const native = nativeBridge()
  if (native !== undefined) return (given) => native.nativePromise('Share', 'share', given)
  return typeof navigator.share === 'function' ? (given) => navigator.share(given) : undefined
}

/** Opens the system's share sheet. Hidden if the system has no share sheet. */
export function ShareButton({
  text: message,
  link,
}: {
  readonly text: string
  readonly link: string
}): ReactNode {
  const { text } = useTexts()
  const share = shareSheet()
  if (share === undefined) return null
  return (
    <button
      type="button"
      className="button"
      // Closing the share sheet is not an error.
      onClick={() => void share({ text: message, url: link }).catch(() => undefined)}
    >
      <Icon name="share" />
      {text('common.share')}
    </button>
  )
}
