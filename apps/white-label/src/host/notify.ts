import { nativeBridge } from './is-package.ts'

/** True if this device can show notifications of the app. */
export const canNotify = (): boolean => nativeBridge() !== undefined || 'Notification' in globalThis

/** Requests the permission to show notifications; the system shows its dialog. */
export async function askToNotify(): Promise<'allowed' | 'refused' | 'unanswered'> {
  const native = nativeBridge()
  if (native === undefined) {
    const answer = await Notification.requestPermission()
    return answer === 'granted' ? 'allowed' : answer === 'denied' ? 'refused' : 'unanswered'
  }
  const answer = await native.nativePromise('AppDevice', 'askToNotify')
  return (answer as { readonly isAllowed: boolean }).isAllowed ? 'allowed' : 'refused'
}

/** True if notifications were allowed and not forbidden since. A package learns that from the system when it shows one. */
export const mayNotify = (): boolean =>
  nativeBridge() !== undefined || ('Notification' in globalThis && Notification.permission === 'granted')

/** Shows a notification of the device. `channel` names its kind in the settings of the system. */
export async function notify(given: {
  readonly title: string
  readonly text: string
  readonly channel: string
}): Promise<void> {
  const native = nativeBridge()
  if (native !== undefined) {
    await native.nativePromise('AppDevice', 'showNotification', given)
    return
  }
  const registration = await navigator.serviceWorker?.getRegistration()
  await registration?.showNotification(given.title, {
    body: given.text,
    icon: '/icons/icon-192.png',
    badge: '/icons/badge-96.png',
    tag: 'mining-stopped',
  })
}
