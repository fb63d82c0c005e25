import type { ReactNode } from 'react'
import { useTexts } from '../app/app-context.ts'
import { type AwaitedPart, Waiting } from './waiting.tsx'

/** The place of one value that is being read. */
export function Skeleton(): ReactNode {
  const { text } = useTexts()
  return (
    <>
      <span className="skeleton" aria-hidden="true" />
      <span className="visually-hidden loading">{text('common.loading')}</span>
    </>
  )
}

/** The places of rows that are being read. */
export function SkeletonRows({
  on,
  count = 3,
}: {
  readonly on: AwaitedPart
  readonly count?: number | undefined
}): ReactNode {
  const { text } = useTexts()
  return (
    <Waiting on={on}>
      <div className="skeleton-rows loading" role="status">
        <span className="visually-hidden">{text('common.loading')}</span>
        {Array.from({ length: count }, (_, index) => (
          <span key={index} className="skeleton" aria-hidden="true" />
        ))}
      </div>
    </Waiting>
  )
}
