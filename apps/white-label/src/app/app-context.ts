import type { RuntimeBrand } from '@hailstone/brand/runtime'
import { createContext, useContext, useEffect, useState, useSyncExternalStore } from 'react'
import type { EngineState } from '../engine/engine-state.ts'
import type { MiningHost } from '../host/mining-host.ts'
import type { PreferenceStore, Preferences } from '../host/preferences.ts'
import type { UpdateWatch } from '../host/update-watch.ts'
import type { LanguageTag } from '../i18n/languages.ts'
import type { Texts } from '../i18n/texts.ts'

export type App = {
  readonly brand: RuntimeBrand
  readonly host: MiningHost
  readonly preferences: PreferenceStore
  readonly texts: Texts
  readonly setLanguage: (language: LanguageTag) => Promise<void>
  readonly keepAwake: { readonly set: (isWanted: boolean) => void; readonly isPossible: boolean }
  readonly updates: UpdateWatch
  /** Announces a change to screen readers. */
  readonly announce: (sentence: string) => void
}

export const AppContext = createContext<App | null>(null)

/** @throws {Error} outside the app */
export function useApp(): App {
  const app = useContext(AppContext)
  if (app === null) throw new Error('This is drawn outside the app.')
  return app
}

/** Returns the last state of the engine; null until the first one arrived. */
export function useEngine(): EngineState | null {
  const { engine } = useApp().host
  return useSyncExternalStore(engine.subscribe, engine.state, engine.state)
}

export function usePreferences(): Preferences {
  const { preferences } = useApp()
  return useSyncExternalStore(preferences.subscribe, preferences.snapshot, preferences.snapshot)
}

export const useTexts = (): Texts => useApp().texts

/** Returns the current time in ms and re-renders every `everyMs`. For "3 min ago" labels. */
export function useNow(everyMs = 1_000): number {
  const [now, setNow] = useState(Date.now())
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), everyMs)
    return () => clearInterval(timer)
  }, [everyMs])
  return now
}

const subscribeOnline = (listener: () => void): (() => void) => {
  addEventListener('online', listener)
  addEventListener('offline', listener)
  return () => {
    removeEventListener('online', listener)
    removeEventListener('offline', listener)
  }
}

export const useOnline = (): boolean =>
  useSyncExternalStore(
    subscribeOnline,
    () => navigator.onLine,
    () => true,
  )
