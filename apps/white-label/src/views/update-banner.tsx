import { type RuntimeBrand, readRuntimeBrand } from '@hailstone/brand/runtime'
import { type ReactNode, useEffect, useState } from 'react'
import { useApp, useEngine, usePreferences, useTexts } from '../app/app-context.ts'
import { isConsentDue } from '../app/consent.ts'
import { useLaterTexts } from '../i18n/later-texts.ts'
import { Notice } from '../parts/notice.tsx'

/** Returns the brand of the build that waits, which the service worker has stored last; null if it cannot be read. */
async function waitingBrand(): Promise<RuntimeBrand | null> {
  const cache = await caches.open((await caches.keys()).at(-1) ?? '')
  const file = await cache.match('/brand/brand.json')
  return file === undefined ? null : readRuntimeBrand(await file.text())
}

/**
 * Offers the new version that waits; while mining it adds that the update can wait. One that asks for consent anew says
 * so and stays in sight: this page goes on under what was accepted before.
 */
export function UpdateBanner(): ReactNode {
  const { brand, updates } = useApp()
  const { text } = useTexts()
  const later = useLaterTexts()
  const { consent } = usePreferences()
  const [waiting, setWaiting] = useState(brand)
  const run = useEngine()?.run
  const [isHidden, setHidden] = useState(false)
  useEffect(() => {
    const look = (): void => {
      waitingBrand().then(
        (found) => found && setWaiting(found),
        () => undefined,
      )
    }
    look()
    // While one build waits, a newer one may take its place.
    return updates.subscribe(look)
  }, [updates])
  const asksAnew = isConsentDue(waiting, consent) && !isConsentDue(brand, consent)
  if (isHidden && !asksAnew) return null
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
          {!asksAnew && (
            <button
              type="button"
              className="button button-small button-quiet"
              onClick={() => setHidden(true)}
            >
              {text('update.later')}
            </button>
          )}
        </>
      }
    >
      {text(isMining ? 'update.textMining' : 'update.text')}
      {asksAnew && ` ${later?.('update.consent') ?? ''}`}
    </Notice>
  )
}
