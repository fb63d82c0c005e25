import { type ReactNode, useEffect, useState } from 'react'
import { useApp, useEngine, usePreferences, useTexts } from '../app/app-context.ts'
import { isConsentDue, type Legal } from '../app/consent.ts'
import { useLaterTexts } from '../i18n/later-texts.ts'
import { Notice } from '../parts/notice.tsx'

/** Returns the name of the cache that belongs to the waiting service worker; caches of older builds may be newer. */
async function waitingBuild(): Promise<string> {
  const worker = (await navigator.serviceWorker.getRegistration())?.waiting
  return new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel()
    port1.onmessage = ({ data }) => resolve(data)
    worker?.postMessage('which build', [port2])
  })
}

/** Returns what the build that waits asks for. Nothing else of its brand is read: it may be of a later schema. */
async function waitingLegal(): Promise<Legal> {
  const file = await caches.match('/brand/brand.json', { cacheName: await waitingBuild() })
  if (file === undefined) throw new Error('The waiting build has no brand.')
  const { version, minimumAge } = (await file.json()).legal
  const isRead =
    (version === null || typeof version === 'string') &&
    (minimumAge === null || typeof minimumAge === 'number')
  if (!isRead) throw new Error('The waiting build asks for something else.')
  return { legal: { version, minimumAge } }
}

/**
 * Offers the new version that waits; while mining it adds that the update can wait. One that asks for consent anew says
 * so and stays in sight: this page goes on under what was accepted before. So does one that does not say what it asks.
 */
export function UpdateBanner(): ReactNode {
  const { brand, updates } = useApp()
  const { text } = useTexts()
  const later = useLaterTexts()
  const { consent } = usePreferences()
  const [waiting, setWaiting] = useState<Legal | null>(null)
  const run = useEngine()?.run
  const [isHidden, setHidden] = useState(false)
  useEffect(() => {
    let looks = 0
    const look = (): void => {
      const number = ++looks
      const take = (found: Legal | null): void => {
        if (number === looks) setWaiting(found)
      }
      take(null)
      waitingLegal().then(take, () => undefined)
    }
    look()
    // While one build waits, a newer one may take its place.
    const end = updates.subscribe(look)
    return () => {
      looks++
      end()
    }
  }, [updates])
  const asksAnew = waiting !== null && isConsentDue(waiting, consent) && !isConsentDue(brand, consent)
  const canWait = waiting !== null && !asksAnew
  if (isHidden && canWait) return null
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
          {canWait && (
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
