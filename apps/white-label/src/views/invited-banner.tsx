import type { ReactNode } from 'react'
import { Link } from 'wouter'
import { useApp, useTexts } from '../app/app-context.ts'
import { Notice } from '../parts/notice.tsx'

/** Says that a link invited the person, until they take an agent or close it. */
export function InvitedBanner(): ReactNode {
  const { preferences } = useApp()
  const { text } = useTexts()
  return (
    <Notice
      tone="info"
      action={
        <>
          <Link href="/invite/agent" className="button button-small">
            {text('invite.look')}
          </Link>
          <button
            type="button"
            className="button button-small button-quiet"
            onClick={() => preferences.set({ invitedBy: null })}
          >
            {text('common.close')}
          </button>
        </>
      }
    >
      {text('invite.fromLink')}
    </Notice>
  )
}
