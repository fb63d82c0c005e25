import { useEffect, useRef } from 'react'
import { mayNotify, notify as showNotification } from '../host/notify.ts'
import { useApp, useEngine, useTexts } from './app-context.ts'
import { explainMining } from './explain-mining.ts'

/** Shows a system notification when mining stops unexpectedly, if the page is hidden. Loaded for those who want them. */
export function Notifications(): null {
  const { brand } = useApp()
  const { text } = useTexts()
  const engine = useEngine()
  const wasMining = useRef(false)
  const isMining = engine?.snapshot?.state.status === 'mining'
  const explained = engine === null ? null : explainMining(engine)
  const isStopped = engine?.run.isWanted === true && !isMining && explained?.tone !== 'busy'
  const sentence = explained === null ? '' : text(explained.reason ?? explained.headline)
  useEffect(() => {
    const isDue = wasMining.current && isStopped && document.visibilityState === 'hidden'
    if (isMining || isStopped) wasMining.current = isMining
    if (!isDue || !mayNotify()) return
    showNotification({
      title: brand.app.name,
      text: sentence,
      channel: text('notifications.stopped'),
    }).catch(() => undefined)
  }, [isMining, isStopped, sentence, brand, text])
  return null
}
