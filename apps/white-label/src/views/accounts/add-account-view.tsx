import { type ReactNode, useEffect, useState } from 'react'
import { useLocation } from 'wouter'
import { useApp, useTexts } from '../../app/app-context.ts'
import { codeOf } from '../../host/engine-connection.ts'
import { useLaterTexts } from '../../i18n/later-texts.ts'
import { ActionButton } from '../../parts/busy-button.tsx'
import { loaded } from '../../parts/loaded.tsx'
import { Loading } from '../../parts/loading.tsx'
import { Notice } from '../../parts/notice.tsx'
import { Page } from '../../parts/page.tsx'
import { UnlockForm } from '../unlock-form.tsx'
import { useActiveUnsettled } from './use-unsettled.ts'

const ImportStep = loaded(() => import('../setup/import-step.tsx'), 'ImportStep')

/**
 * Makes or imports a further account. Nothing of it is stored before the passphrase of the app was entered; then it is
 * the active one, and its first run goes on as that of the first account did.
 */
export function AddAccountView(): ReactNode {
  const { host } = useApp()
  const { text } = useTexts()
  const words = useLaterTexts()
  const [, go] = useLocation()
  const [step, setStep] = useState<'choose' | 'import' | 'passphrase'>('choose')
  const [isKnown, setKnown] = useState(false)
  const unsettled = useActiveUnsettled()
  // A key that was typed or made and not stored does not outlive this view.
  useEffect(() => () => void host.account.dropPrepared(), [host])
  if (words === null) return <Loading on="files" />

  /** Stores it. With that another account is active, and this view goes before the answer comes. */
  async function seal(passphrase: string, signal: AbortSignal): Promise<void> {
    try {
      await host.account.seal(passphrase, signal)
      if (location.pathname.endsWith('/more/accounts/add')) go('/more/accounts', { replace: true })
    } catch (error) {
      if (codeOf(error) !== 'KEYSTORE_EXISTS') throw error
      setKnown(true)
      setStep('choose')
    }
  }
  const choose = (next: typeof step): void => {
    setKnown(false)
    setStep(next)
  }
  if (step === 'import') {
    return (
      <ImportStep
        onBack={() => choose('choose')}
        onTaken={() => choose('passphrase')}
        takeFile={host.account.prepareFile}
        onFile={() => choose('passphrase')}
      />
    )
  }
  return (
    <Page key={step} title={words('accounts.add')} back="/more/accounts">
      {step === 'choose' ? (
        <>
          {isKnown && (
            <Notice tone="warning" role="alert">
              {words('accounts.exists')}
            </Notice>
          )}
          <p>{words('accounts.addText')}</p>
          {unsettled !== 0 && <Notice tone="warning">{words('accounts.leaveUnsettled')}</Notice>}
          <div className="actions">
            <ActionButton
              className="button button-primary"
              act={(signal) => host.account.prepare(undefined, signal)}
              onDone={() => choose('passphrase')}
            >
              {text('welcome.create')}
            </ActionButton>
            <button type="button" className="button" onClick={() => choose('import')}>
              {text('welcome.import')}
            </button>
          </div>
        </>
      ) : (
        <>
          <p>{words('accounts.addPassphrase')}</p>
          <UnlockForm onUnlock={seal} action="common.continue" working="lock.encrypting" />
        </>
      )}
    </Page>
  )
}
