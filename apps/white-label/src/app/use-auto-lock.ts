import { useEffect, useState } from 'react'
import { useApp } from './app-context.ts'

const signs = ['pointerdown', 'keydown', 'visibilitychange'] as const
const CHECK_MS = 5_000

/** Hides the app after a while without anybody, where the brand locks always. What runs goes on. */
export function useAutoLock(): { readonly isLocked: boolean; readonly open: () => void } {
  const { brand } = useApp()
  const [isLocked, setLocked] = useState(false)
  const { lock, autoLockMin } = brand.security
  useEffect(() => {
    if (lock !== 'always') return
    let lastSignMs = Date.now()
    const check = (): void => {
      if (Date.now() - lastSignMs > autoLockMin * 60_000) setLocked(true)
    }
    // No timer runs while a device sleeps: whoever wakes it must not be taken for whoever left it.
    const sign = (): void => {
      check()
      lastSignMs = Date.now()
    }
    const timer = setInterval(check, CHECK_MS)
    for (const name of signs) addEventListener(name, sign, true)
    return () => {
      clearInterval(timer)
      for (const name of signs) removeEventListener(name, sign, true)
    }
  }, [lock, autoLockMin])
  return { isLocked, open: () => setLocked(false) }
}
