import { useEffect } from 'react'
import { useApp, useEngine } from './app-context.ts'
import { type Clocks, type Idle, laterIdle } from './idle-time.ts'

const signs = ['pointerdown', 'keydown', 'visibilitychange'] as const
const CHECK_MS = 5_000
/** Least time between two writes of the activity time, in ms. */
const NOTE_MS = 2_000

/** Follows the use of the app in all tabs of this browser, from a use on. */
function followUse(brandId: string): { readonly idleMs: () => number; readonly note: () => void } {
  const name = `hailstone-${brandId}-active`
  const clocks = (): Clocks => {
    let stamp: string | null = null
    try {
      stamp = localStorage.getItem(name)
    } catch {
      // Without storage, each tab counts on its own.
    }
    return { steadyMs: performance.now(), wallMs: Date.now(), stamp }
  }
  let idle: Idle = { ...clocks(), ms: 0 }
  let notedMs = -NOTE_MS
  return {
    idleMs: () => {
      idle = laterIdle(idle, clocks())
      return idle.ms
    },
    note: () => {
      if (performance.now() - notedMs >= NOTE_MS) {
        notedMs = performance.now()
        try {
          localStorage.setItem(name, String(Date.now()))
        } catch {
          // As above.
        }
      }
      idle = { ...clocks(), ms: 0 }
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
    const use = followUse(brand.id)
    use.note()
    let isLeft = false
    const check = (): void => {
      if (isLeft || use.idleMs() <= autoLockMin * 60_000) return
      isLeft = true
      void host.account.cover()
    }
    // Timers do not run while a device sleeps. The idle time is checked before the first event after it counts.
    const sign = (): void => {
      check()
      if (!isLeft) use.note()
    }
    const timer = setInterval(check, CHECK_MS)
    for (const name of signs) addEventListener(name, sign, true)
    return () => {
      clearInterval(timer)
      for (const name of signs) removeEventListener(name, sign, true)
    }
  }, [lock, autoLockMin, isOpen, brand.id, host])
}
