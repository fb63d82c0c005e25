import type { ReactNode } from 'react'
import { useApp } from '../app/app-context.ts'
import { BrandLogo } from './brand-logo.tsx'
import { Loading } from './loading.tsx'

/** Stands for the whole page until it is known what to show, and its code is loaded. */
export function Splash(): ReactNode {
  return (
    <main id="content" className="page splash">
      <h1 className="visually-hidden">{useApp().brand.app.name}</h1>
      <BrandLogo />
      <Loading />
    </main>
  )
}
