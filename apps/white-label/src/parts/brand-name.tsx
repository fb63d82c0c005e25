import type { ReactNode } from 'react'
import { Link } from 'wouter'
import { useApp } from '../app/app-context.ts'

/** The brand in the header, linked to the start. */
export function BrandName(): ReactNode {
  const { brand } = useApp()
  return (
    <Link href="/" className="brand-name">
      <img src="/favicon.svg" alt="" width="28" height="28" />
      <span>{brand.app.name}</span>
    </Link>
  )
}
