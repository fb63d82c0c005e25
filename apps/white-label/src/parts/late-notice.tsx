import type { ReactNode } from 'react'
import { useLaterTexts } from '../i18n/later-texts.ts'
import { Notice } from './notice.tsx'

/** Says that something waits for too long, and loads the app again on request. */
export function LateNotice(): ReactNode {
  const text = useLaterTexts()
  if (text === null) return null
  return (
    <Notice
      tone="warning"
      role="alert"
      action={
        <button type="button" className="button" onClick={() => location.reload()}>
          {text('late.again')}
        </button>
      }
    >
      {text('late.text')}
    </Notice>
  )
}
