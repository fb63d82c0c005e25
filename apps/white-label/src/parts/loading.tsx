import type { ReactNode } from 'react'
import { useTexts } from '../app/app-context.ts'
import { type AwaitedPart, Waiting } from './waiting.tsx'

/** Placeholder while a value is loading. */
export function Loading({
  on,
  isAlone,
}: {
  readonly on: AwaitedPart
  readonly isAlone?: boolean | undefined
}): ReactNode {
  const { text } = useTexts()
  return (
    <Waiting on={on} isAlone={isAlone}>
      <p className="loading" role="status">
        {text('common.loading')}
      </p>
    </Waiting>
  )
}
