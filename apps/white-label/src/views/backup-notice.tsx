import type { ReactNode } from 'react'
import { Link } from 'wouter'
import { useTexts } from '../app/app-context.ts'
import { Notice } from '../parts/notice.tsx'

/** Warns that the key has no backup, with a link to make one. */
export function BackupNotice({
  isSmall = false,
  children,
}: {
  /** True for a smaller button, where the notice stands above a whole page. */
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
