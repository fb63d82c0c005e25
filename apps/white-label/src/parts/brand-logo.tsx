import type { ReactNode } from 'react'
import { useApp } from '../app/app-context.ts'
import { useMode } from '../app/use-mode.ts'

/** The brand's logo for the current colour mode. */
export function BrandLogo({ isSmall = false }: { readonly isSmall?: boolean | undefined }): ReactNode {
  const { brand } = useApp()
  const mode = useMode()
  const { logo, logoDark } = brand.assets
  const file = mode === 'dark' ? (logoDark ?? logo) : logo
  return <img className={isSmall ? 'logo logo-small' : 'logo'} src={`/brand/${file}`} alt={brand.app.name} />
}
