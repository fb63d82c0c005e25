import type { ReactNode } from 'react'
import { useTexts } from '../app/app-context.ts'

/** Placeholder while a value is loading. */
export function Loading(): ReactNode {
  const { text } = useTexts()
  return (
    <p className="loading" role="status">
      {text('common.loading')}
    </p>
  )
}
