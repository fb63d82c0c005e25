import type { ReactNode } from 'react'
import { useApp } from '../app/app-context.ts'
import { BrandLogo } from './brand-logo.tsx'
import { Loading } from './loading.tsx'
import type { AwaitedPart } from './waiting.tsx'

/** Stands for the whole page until it is known what to show, and its code is loaded. */
export function Splash({ on }: { readonly on: AwaitedPart }): ReactNode {
  return (
    <main id="content" className="page splash">
      <h1 className="visually-hidden">{useApp().brand.app.name}</h1>
      <BrandLogo />
      <Loading on={on} isAlone />
    </main>
  )
}
