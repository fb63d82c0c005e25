import { useSyncExternalStore } from 'react'
import type { Preferences } from '../host/preferences.ts'
import { useApp, usePreferences } from './app-context.ts'

const darkQuery = matchMedia('(prefers-color-scheme: dark)')

/** Calls a listener whenever the device changes between light and dark. */
export const followDeviceMode = (listener: () => void): (() => void) => {
  darkQuery.addEventListener('change', listener)
  return () => darkQuery.removeEventListener('change', listener)
}

const deviceMode = (): 'light' | 'dark' => (darkQuery.matches ? 'dark' : 'light')

/** Returns the mode that stands against the brand's; undefined where the brand's holds. */
export const chosenMode = (mode: Preferences['mode']): 'light' | 'dark' | undefined =>
  mode === 'system' ? undefined : mode === 'device' ? deviceMode() : mode

/** Returns the effective colour mode: the person's choice, else the brand's, else the device's. */
export function useMode(): 'light' | 'dark' {
  const { brand } = useApp()
  const { mode } = usePreferences()
  const device = useSyncExternalStore<'light' | 'dark'>(followDeviceMode, deviceMode, () => 'light')
  const wanted = mode === 'system' ? brand.theme.mode : mode
  return wanted === 'system' || wanted === 'device' ? device : wanted
}
