import { useEffect, useSyncExternalStore } from 'react'
import { minerService } from '../host/miner-service.ts'
import { useApp, useEngine, usePreferences } from './app-context.ts'

/** True while a service of the package mines; other packages have none, and nothing of it in their files. */
const useServiceRuns = APP_HAS_SERVICE
  ? (): boolean =>
      useSyncExternalStore(minerService.subscribe, minerService.snapshot, minerService.snapshot).state
        ?.isRunning === true
  : (): boolean => false

/** Keeps the screen on while the app mines, whichever screen is shown, where the person or the brand wants that. */
export function useKeepAwake(): void {
  const { brand, keepAwake } = useApp()
  const { keepAwake: chosen } = usePreferences()
  const run = useEngine()?.run
  // The screen may go off while the service mines.
  const mayGoOff = useServiceRuns()
  const isMining = run?.isWanted === true && run.pause === null
  const isOn = (chosen ?? brand.mining.keepAwake) && isMining && !mayGoOff
  useEffect(() => {
    keepAwake.set(isOn)
    return () => keepAwake.set(false)
  }, [keepAwake, isOn])
}
