import { useEffect } from 'react'
import { useApp, useEngine } from './app-context.ts'

const signs = ['pointerdown', 'keydown', 'visibilitychange'] as const
const CHECK_MS = 5_000
/** The other tabs need not know of every key. */
const NOTE_MS = 2_000

/** When somebody last used the app in any tab of this browser; nothing secret. */
function activityOf(brandId: string): { readonly read: () => number; readonly note: () => void } {
  const name = `hailstone-${brandId}-active`
  let ownMs = Date.now()
  let notedMs = 0
  const stored = (): number => {
    try {
      const atMs = Number(localStorage.getItem(name))
      // A time to come would keep the app open for ever.
      return atMs <= Date.now() ? atMs : 0
    } catch {
      return 0
    }
  }
  return {
    read: () => Math.max(ownMs, stored()),
    note: () => {
      ownMs = Date.now()
      if (ownMs - notedMs < NOTE_MS) return
      notedMs = ownMs
      try {
        localStorage.setItem(name, String(ownMs))
      } catch {
        // Where nothing may be stored, each tab counts alone.
      }
    },
  }
}

/** Locks all tabs after a while without anybody, where the brand locks always. What mines goes on. */
export function useAutoLock(): void {
  const { brand, host } = useApp()
  const { lock, autoLockMin } = brand.security
  const isOpen = useEngine()?.tabLock === 'open'
  useEffect(() => {
    if (lock !== 'always' || !isOpen) return
    const activity = activityOf(brand.id)
    activity.note()
    let isLeft = false
    const check = (): void => {
      if (isLeft || Date.now() - activity.read() <= autoLockMin * 60_000) return
      isLeft = true
      void host.account.cover()
    }
    // No timer runs while a device sleeps: whoever wakes it must not be taken for whoever left it.
    const sign = (): void => {
      check()
      if (!isLeft) activity.note()
    }
    const timer = setInterval(check, CHECK_MS)
    for (const name of signs) addEventListener(name, sign, true)
    return () => {
      clearInterval(timer)
      for (const name of signs) removeEventListener(name, sign, true)
    }
  }, [lock, autoLockMin, isOpen, brand.id, host])
}
