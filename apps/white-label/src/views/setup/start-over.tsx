import type { Address } from '@hailstone/mining-node'
import { type ReactNode, useState } from 'react'
import { useApp, useTexts } from '../../app/app-context.ts'
import { ActionButton } from '../../parts/busy-button.tsx'
import { Notice } from '../../parts/notice.tsx'

/** Removes the account of a first run, with its key, after a second press. */
export function StartOver({ address }: { readonly address: Address }): ReactNode {
  const { host } = useApp()
  const { text } = useTexts()
  const [isAsking, setAsking] = useState(false)
  if (!isAsking) {
    return (
      <button type="button" className="button button-quiet" onClick={() => setAsking(true)}>
        {text('setup.startOver')}
      </button>
    )
  }
  return (
    <>
      <Notice tone="danger" role="alert">
        {text('security.forgetWarning')}
      </Notice>
      <button type="button" className="button" onClick={() => setAsking(false)}>
        {text('common.cancel')}
      </button>
      <ActionButton className="button button-danger" act={() => host.account.forget(address)}>
        {text('security.forget')}
      </ActionButton>
    </>
  )
}
