import type { ReactNode } from 'react'
import { useTexts } from '../app/app-context.ts'

/** Stands where something is not read yet. */
export function Loading(): ReactNode {
  const { text } = useTexts()
  return (
    <p className="loading" role="status">
      {text('common.loading')}
    </p>
  )
}
