import { useMiner } from '@hailstone/react'
import type { ReactNode } from 'react'
import { useOnline, useTexts } from '../app/app-context.ts'
import { Notice } from '../parts/notice.tsx'

/** Warns that the API does not answer: readings grow old while mining continues. */
export function ApiNotice(): ReactNode {
  const { text } = useTexts()
  const { api, lastError } = useMiner()
  const isOnline = useOnline()
  // What is said of the device stands above every view.
  if (!isOnline || api.status !== 'unreachable' || lastError === null) return null
  return (
    <Notice tone="warning" role="status">
      {text('common.apiDown')}
    </Notice>
  )
}
