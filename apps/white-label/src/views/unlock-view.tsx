import type { ReactNode } from 'react'
import { useLocation } from 'wouter'
import { useApp, useTexts } from '../app/app-context.ts'
import type { Opening } from '../engine/account-store.ts'
import { Page } from '../parts/page.tsx'
import { UnlockForm } from './unlock-form.tsx'

export function UnlockView(): ReactNode {
  const { host } = useApp()
  const { text } = useTexts()
  const [, go] = useLocation()
  async function unlock(opening: Opening): Promise<void> {
    await host.account.unlock(opening)
    go('/')
  }
  return (
    <Page title={text('lock.unlock')} back="/">
      <p>{text('lock.unlockText')}</p>
      <UnlockForm onUnlock={unlock} onPasskey={unlock} />
    </Page>
  )
}
