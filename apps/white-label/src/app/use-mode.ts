import { useSyncExternalStore } from 'react'
import { useApp, usePreferences } from './app-context.ts'

const darkQuery = matchMedia('(prefers-color-scheme: dark)')
const subscribe = (listener: () => void): (() => void) => {
  darkQuery.addEventListener('change', listener)
  return () => darkQuery.removeEventListener('change', listener)
}

/** Returns the effective colour mode: the person's choice, else the brand's, else the device's. */
export function useMode(): 'light' | 'dark' {
  const { brand } = useApp()
  const { mode } = usePreferences()
  const isDark = useSyncExternalStore(
    subscribe,
    () => darkQuery.matches,
    () => false,
  )
  const wanted = mode === 'system' ? brand.theme.mode : mode
  if (wanted !== 'system') return wanted
  return isDark ? 'dark' : 'light'
}
