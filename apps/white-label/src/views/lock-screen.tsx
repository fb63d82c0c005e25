import type { ReactNode } from 'react'
import { useApp, useTexts } from '../app/app-context.ts'
import type { Opening } from '../engine/account-store.ts'
import { BrandLogo } from '../parts/brand-logo.tsx'
import { SetupFrame } from './setup/setup-frame.tsx'
import { UnlockForm } from './unlock-form.tsx'

/** The screen of a locked app. Mining continues behind it. */
export function LockScreen({
  onUnlock,
}: {
  readonly onUnlock: (opening: Opening, signal: AbortSignal) => Promise<void>
}): ReactNode {
  const { brand } = useApp()
  const { text } = useTexts()
  return (
    <SetupFrame
      title={text('lock.lockedTitle', { app: brand.app.name })}
      hero={{ above: <BrandLogo />, below: <p>{text('lock.unlockText')}</p> }}
    >
      <UnlockForm onUnlock={onUnlock} onPasskey={onUnlock} />
    </SetupFrame>
  )
}
