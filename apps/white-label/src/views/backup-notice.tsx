import type { ReactNode } from 'react'
import { Link } from 'wouter'
import { useTexts } from '../app/app-context.ts'
import { Notice } from '../parts/notice.tsx'

/** What is at stake while the key has no backup, and the way to one. */
export function BackupNotice({
  isSmall = false,
  children,
}: {
  /** A smaller button, where the notice stands above a whole page. */
  readonly isSmall?: boolean
  readonly children: ReactNode
}): ReactNode {
  const { text } = useTexts()
  return (
    <Notice
      tone="warning"
      action={
        <Link href="/more/backup" className={isSmall ? 'button button-small' : 'button'}>
          {text('backup.title')}
        </Link>
      }
    >
      {children}
    </Notice>
  )
}
