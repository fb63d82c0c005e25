import { useReducer, useSyncExternalStore } from 'react'
import { installOffer } from './install-offer.ts'
import { isPackage } from './is-package.ts'

function subscribe(listener: () => void): () => void {
  addEventListener('beforeinstallprompt', listener)
  addEventListener('appinstalled', listener)
  return () => {
    removeEventListener('beforeinstallprompt', listener)
    removeEventListener('appinstalled', listener)
  }
}

/** True if the browser offers to install the app and this is not a package. */
export const canInstall = (): boolean => installOffer.current !== null && !isPackage()

/** Returns a function that lets the browser ask whether to install the app; null while it offers nothing. */
export function useInstall(): (() => Promise<void>) | null {
  const isOffered = useSyncExternalStore(subscribe, canInstall, canInstall)
  const [, drawAgain] = useReducer((count: number) => count + 1, 0)
  if (!isOffered) return null
  return async () => {
    const offer = installOffer.current
    installOffer.current = null
    drawAgain()
    // Refused, for example, where the app was installed meanwhile by the browser's menu.
    await offer?.prompt().catch(() => undefined)
  }
}

/** True in Safari for iOS, where a person adds the app to the home screen and no page can ask for it. */
export const isAddedByHand = (): boolean =>
  (navigator as { readonly standalone?: boolean }).standalone === false &&
  // A Mac has no touch screen, and installs from another menu.
  navigator.maxTouchPoints > 0 &&
  // Safari has its version there: app windows and most other browsers do not, and have another menu.
  /\bVersion\/\d.* Safari\//.test(navigator.userAgent) &&
  !navigator.userAgent.includes('EdgiOS')
