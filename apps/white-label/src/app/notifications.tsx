import { useEffect, useRef } from 'react'
import { mayNotify, notify as showNotification } from '../host/notify.ts'
import { useApp, useEngine, usePreferences, useTexts } from './app-context.ts'
import { explainMining } from './explain-mining.ts'
import { titleState } from './window-title.ts'

/** Shows the state of a wanted miner in the title of the window, for the tab that stands behind others. */
export function StateInTitle(): null {
  const { text } = useTexts()
  const engine = useEngine()
  const state = engine?.run.isWanted === true ? text(explainMining(engine).headline) : ''
  useEffect(() => titleState(state), [state])
  return null
}

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
    if (!isDue || !mayNotify()) return
    showNotification({
      title: brand.app.name,
      text: sentence,
      channel: text('notifications.stopped'),
    }).catch(() => undefined)
  }, [isMining, isStopped, notify, sentence, brand, text])
  return null
}
