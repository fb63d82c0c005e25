import { useEffect, useRef } from 'react'
import { useApp, useEngine, usePreferences, useTexts } from './app-context.ts'
import { explainMining } from './explain-mining.ts'

/** Shows a system notification when mining stops unexpectedly, if enabled and the page is hidden. */
export function Notifications(): null {
  const { brand } = useApp()
  const { text } = useTexts()
  const { notify } = usePreferences()
  const engine = useEngine()
  const wasMining = useRef(false)
  const isMining = engine?.snapshot?.state.status === 'mining'
  const explained = engine === null ? null : explainMining(engine)
  const isStopped = engine?.run.isWanted === true && !isMining && explained?.tone !== 'busy'
  const sentence = explained === null ? '' : text(explained.reason ?? explained.headline)
  useEffect(() => {
    const isDue = wasMining.current && isStopped && notify && document.visibilityState === 'hidden'
    if (isMining || isStopped) wasMining.current = isMining
    if (!isDue || !('Notification' in globalThis) || Notification.permission !== 'granted') return
    void navigator.serviceWorker?.getRegistration().then((registration) =>
      registration?.showNotification(brand.app.name, {
        body: sentence,
        icon: '/icons/icon-192.png',
        badge: '/icons/badge-96.png',
        tag: 'mining-stopped',
      }),
    )
  }, [isMining, isStopped, notify, sentence, brand])
  return null
}
