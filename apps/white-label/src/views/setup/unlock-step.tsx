import type { Address } from '@hailstone/mining-node'
import type { ReactNode } from 'react'
import { useApp, useTexts } from '../../app/app-context.ts'
import { UnlockForm } from '../unlock-form.tsx'
import { SetupFrame } from './setup-frame.tsx'
import { StartOver } from './start-over.tsx'

/** Continues an interrupted first run after the passphrase was entered. */
export function UnlockStep({ address }: { readonly address: Address }): ReactNode {
  const { host } = useApp()
  const { text } = useTexts()
  return (
    <SetupFrame title={text('lock.unlock')}>
      <p>{text('lock.unlockText')}</p>
      <UnlockForm onUnlock={host.account.unlock} />
      <div className="actions">
        <StartOver address={address} />
      </div>
    </SetupFrame>
  )
}
