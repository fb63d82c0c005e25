import { useEffect } from 'react'
import { useApp, useEngine } from './app-context.ts'

const signs = ['pointerdown', 'keydown', 'visibilitychange'] as const
const CHECK_MS = 5_000
/** Least time between two writes of the activity time, in ms. */
const NOTE_MS = 2_000
/** Steps of a clock that is being adjusted, in ms. They lock nothing. */
const CLOCK_STEP_MS = 60_000

/** Time of the last interaction in any tab of this browser, Unix milliseconds. */
export function activityOf(brandId: string): { readonly read: () => number; readonly note: () => void } {
  const name = `hailstone-${brandId}-active`
  let ownMs = Date.now()
  let notedMs = 0
  const stored = (): number => {
    try {
      const atMs = Number(localStorage.getItem(name))
      // A time in the future would keep the app unlocked for ever.
      return atMs <= Date.now() ? atMs : 0
    } catch {
      return 0
    }
  }
  return {
    // After the clock was set back, the time of this tab lies in the future, too: then nothing is known of it.
    read: () => Math.max(ownMs > Date.now() + CLOCK_STEP_MS ? 0 : ownMs, stored()),
    note: () => {
      ownMs = Date.now()
      if (ownMs - notedMs < NOTE_MS) return
      notedMs = ownMs
      try {
        localStorage.setItem(name, String(ownMs))
      } catch {
        // Without storage, each tab counts on its own.
      }
    },
  }
}

/** Locks all tabs after the brand's idle time, if the brand locks always. Mining continues. */
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
    // Timers do not run while a device sleeps. The idle time is checked before the first event after it counts.
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
