import type { Preferences } from '../host/preferences.ts'
import { useApp, useTexts } from './app-context.ts'

const names = {
  system: 'appearance.system',
  device: 'appearance.system',
  light: 'appearance.light',
  dark: 'appearance.dark',
} as const

/** Returns the name of a choice of the appearance: what the app does then. */
export function useModeName(): (mode: Preferences['mode']) => string {
  const brands = useApp().brand.theme.mode
  const { text, language } = useTexts()
  return (mode) =>
    mode === 'system' && brands !== 'system'
      ? text('appearance.brand', { mode: text(names[brands]).toLocaleLowerCase(language) })
      : text(names[mode])
}
