import type { ReactNode } from 'react'
import { useLocation } from 'wouter'
import { useApp, useTexts } from '../app/app-context.ts'
import { Page } from '../parts/page.tsx'
import { UnlockForm } from './unlock-form.tsx'

export function UnlockView(): ReactNode {
  const { host } = useApp()
  const { text } = useTexts()
  const [, go] = useLocation()
  const { unlock } = host.account
  return (
    <Page title={text('lock.unlock')} back="/">
      <p>{text('lock.unlockText')}</p>
      <UnlockForm onUnlock={unlock} onPasskey={unlock} onDone={() => go('/')} />
    </Page>
  )
}
