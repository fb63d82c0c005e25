import { type ReactNode, useState } from 'react'
import { useApp, useEngine, useTexts } from '../app/app-context.ts'
import { Notice } from '../parts/notice.tsx'

/** Offers the new version that waits; while mining it adds that the update can wait. */
export function UpdateBanner(): ReactNode {
  const { updates } = useApp()
  const { text } = useTexts()
  const run = useEngine()?.run
  const [isHidden, setHidden] = useState(false)
  if (isHidden) return null
  const isMining = run?.isWanted === true
  return (
    <Notice
      tone="info"
      role="status"
      action={
        <>
          <button type="button" className="button button-small" onClick={updates.take}>
            {text(isMining ? 'update.nowMining' : 'update.now')}
          </button>
          <button type="button" className="button button-small button-quiet" onClick={() => setHidden(true)}>
            {text('update.later')}
          </button>
        </>
      }
    >
      {text(isMining ? 'update.textMining' : 'update.text')}
    </Notice>
  )
}
