import type { Address } from '@hailstone/mining-node'
import { type ReactNode, useState } from 'react'
import { useApp, useTexts } from '../../app/app-context.ts'
import { mayPostponeBackup } from '../../app/backup-rule.ts'
import { ActionButton } from '../../parts/busy-button.tsx'
import { Notice } from '../../parts/notice.tsx'
import { SetupFrame } from './setup-frame.tsx'
import { StartOver } from './start-over.tsx'
import { Words } from './words.tsx'

export function WordsStep({ address }: { readonly address: Address }): ReactNode {
  const { brand, host } = useApp()
  const { text } = useTexts()
  const [isShown, setShown] = useState(false)
  return (
    <SetupFrame title={text('backup.title')} step={2}>
      <p>{text('backup.text')}</p>
      <Notice tone="warning">
        {text('backup.warning', { publisher: brand.app.publisher ?? brand.app.name })}
      </Notice>
      <Words onShown={() => setShown(true)} />
      <div className="actions">
        <ActionButton
          className="button button-primary"
          disabled={!isShown}
          act={() => host.account.setStep('quiz')}
        >
          {text('backup.written')}
        </ActionButton>
        {mayPostponeBackup(brand) && (
          <ActionButton
            className="button button-quiet"
            act={() => host.account.setStep(brand.referral.enabled ? 'agent' : 'done')}
          >
            {text('backup.later')}
          </ActionButton>
        )}
        <StartOver address={address} />
      </div>
    </SetupFrame>
  )
}
