import { useEffect } from 'react'
import { nativeBridge } from './is-package.ts'

/** Hides a package's screen from screenshots and from the list of open apps while a secret is shown. */
export function useHiddenScreen(isHidden: boolean): void {
  useEffect(() => {
    const native = nativeBridge()
    if (!isHidden || native === undefined) return
    const hide = (value: boolean): void =>
      void native.nativePromise('AppDevice', 'hideScreen', { isHidden: value }).catch(() => undefined)
    hide(true)
    return () => hide(false)
  }, [isHidden])
}
