import { useEffect, useState } from 'preact/hooks'

const dark = matchMedia('(prefers-color-scheme: dark)')

/** Returns the colours that the device asks for, and draws anew when that changes. */
export function useColourScheme(): 'light' | 'dark' {
  const [isDark, setIsDark] = useState(dark.matches)
  useEffect(() => {
    const follow = (): void => setIsDark(dark.matches)
    follow()
    dark.addEventListener('change', follow)
    return () => dark.removeEventListener('change', follow)
  }, [])
  return isDark ? 'dark' : 'light'
}
