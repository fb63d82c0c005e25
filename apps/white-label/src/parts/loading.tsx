import type { ReactNode } from 'react'
import { useTexts } from '../app/app-context.ts'
import { Waiting } from './waiting.tsx'

/** Placeholder while a value is loading. */
export function Loading(): ReactNode {
  const { text } = useTexts()
  return (
    <Waiting>
      <p className="loading" role="status">
        {text('common.loading')}
      </p>
    </Waiting>
  )
}
