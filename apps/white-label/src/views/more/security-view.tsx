import { useMiner } from '@hailstone/react'
import { type ReactNode, Suspense, useCallback, useEffect, useState } from 'react'
import { Link } from 'wouter'
import { useApp, useEngine, useTexts } from '../../app/app-context.ts'
import { withoutAccount } from '../../app/without-account.ts'
import { forgetSecret, useSecretSource } from '../../host/device-secret.ts'
import { useHiddenScreen } from '../../host/hide-screen.ts'
import { useLaterTexts } from '../../i18n/later-texts.ts'
import { ActionButton } from '../../parts/busy-button.tsx'
import { CopyButton } from '../../parts/copy-button.tsx'
import { FailedPart, loaded } from '../../parts/loaded.tsx'
import { Notice } from '../../parts/notice.tsx'
import { Card, Page } from '../../parts/page.tsx'
import { SaveButton } from '../../parts/save-button.tsx'
import { Sheet } from '../../parts/sheet.tsx'
import { BackupNotice } from '../backup-notice.tsx'
import { UnlockForm } from '../unlock-form.tsx'

const PasskeyCard = loaded(() => import('./passkey-card.tsx'), 'PasskeyCard', FailedPart)

export function SecurityView(): ReactNode {
  const { brand, host } = useApp()
  const { text } = useTexts()
  const { address } = useMiner()
  const engine = useEngine()
  const account = engine?.account
  const stored = account?.status === 'open' || account?.status === 'locked' ? account : null
  const hasPassphrase = stored?.isSealed ?? true
  /** Account that the open sheet would remove: the sheet closes when another becomes active. */
  const [leaving, setLeaving] = useState<string | null>(null)
  const isBackedUp = stored?.isBackedUp ?? true
  const isExposed = !hasPassphrase || stored?.wasExposed === true
  const startNew = (
    <button type="button" className="button button-small" onClick={() => setLeaving(address)}>
      {text('security.startNew')}
    </button>
  )

  return (
    <Page title={text('more.security')} back="/more">
      {isExposed && (
        <Notice tone="warning" action={startNew}>
          {text(hasPassphrase ? 'security.wasExposed' : 'security.unprotected')}
        </Notice>
      )}
      <Card title={text('security.account')}>
        <p className="hash">{address}</p>
        <CopyButton value={address} label={text('receive.copyAddress')} />
      </Card>
      <Card title={text('security.backup')}>
        {isBackedUp === false ? (
          <BackupNotice>{text('backup.missing')}</BackupNotice>
        ) : (
          <p>{text('security.backedUp')}</p>
        )}
        {isBackedUp && stored?.hasWords === true && (
          <Link href="/more/backup" className="button button-quiet">
            {text('backup.showAgain')}
          </Link>
        )}
        {hasPassphrase && (
          <SaveButton
            className="button"
            name={`${brand.id}-${address.slice(0, 10)}.json`}
            type="application/json"
            read={() => host.account.exportFile()}
          >
            {text('security.exportFile')}
          </SaveButton>
        )}
        <p className="muted small">{text('security.exportFileText')}</p>
        <ShowKey key={engine?.tabLock} hasPassphrase={hasPassphrase} />
      </Card>
      <Card title={text('security.lock')}>
        {hasPassphrase && (
          <p>{text(brand.security.lock === 'always' ? 'security.lockAlways' : 'security.lockOnSend')}</p>
        )}
        {hasPassphrase && <p className="muted small">{text('security.minerKeeps')}</p>}
        {hasPassphrase && (engine?.tabLock === 'open' || account?.status === 'open') && (
          <ActionButton className="button" act={() => host.account.lock()}>
            {text('security.lockNow')}
          </ActionButton>
        )}
        {hasPassphrase && engine?.tabLock !== 'open' && (
          <Link href="/unlock" className="button">
            {text('lock.unlock')}
          </Link>
        )}
        {!hasPassphrase && <p>{text('lock.skipText')}</p>}
      </Card>
      {hasPassphrase && brand.security.passkey && (
        <Suspense fallback={null}>
          <PasskeyCard />
        </Suspense>
      )}
      <Storage />
      <Forget
        key={address}
        hasPassphrase={hasPassphrase}
        isOpen={leaving === address}
        onOpen={(isOpen) => setLeaving(isOpen ? address : null)}
      />
    </Page>
  )
}

/** Shows whether the browser has granted persistent storage, and what that means. */
function Storage(): ReactNode {
  const { text } = useTexts()
  const [isKept, setKept] = useState<boolean | null>(null)
  useEffect(() => {
    navigator.storage?.persisted?.().then(setKept, () => setKept(null))
  }, [])
  return (
    <Card title={text('security.storage')}>
      <p>{text(isKept === true ? 'security.kept' : 'security.mayBeDropped')}</p>
      {isKept === false && (
        <button
          type="button"
          className="button"
          onClick={() => void navigator.storage.persist().then(setKept)}
        >
          {text('security.askToKeep')}
        </button>
      )}
    </Card>
  )
}

/** Shows the private key after the passphrase was entered. */
function ShowKey({ hasPassphrase }: { readonly hasPassphrase: boolean }): ReactNode {
  const { text } = useTexts()
  const [isOpen, setOpen] = useState(false)
  const close = useCallback(() => setOpen(false), [])
  return (
    <>
      <button type="button" className="button button-quiet" onClick={() => setOpen(true)}>
        {text('security.showKey')}
      </button>
      <Sheet isOpen={isOpen} onClose={close} title={text('security.showKey')}>
        <Notice tone="danger">{text('security.showKeyText')}</Notice>
        {isOpen && <PrivateKey hasPassphrase={hasPassphrase} onOver={close} />}
      </Sheet>
    </>
  )
}

/** The form for the passphrase, and then the key for one minute. Nothing of both outlives the sheet. */
function PrivateKey({
  hasPassphrase,
  onOver,
}: {
  readonly hasPassphrase: boolean
  readonly onOver: () => void
}): ReactNode {
  const { host } = useApp()
  const [key, setKey] = useState<string | null>(null)
  useHiddenScreen(key !== null)
  useEffect(() => {
    if (key === null) return
    const timer = setTimeout(onOver, 60_000)
    return () => clearTimeout(timer)
    // States of the engine draw this anew all the time; they must not begin the minute again.
  }, [key, onOver])
  return key === null ? (
    <UnlockForm
      hasPassphrase={hasPassphrase}
      onUnlock={host.account.exportKey}
      onDone={setKey}
      action="security.showKey"
      working="common.working"
    />
  ) : (
    <p className="hash secret" translate="no" dir="ltr">
      {key}
    </p>
  )
}

/** Removes the account from this browser. */
function Forget({
  hasPassphrase,
  isOpen,
  onOpen: setOpen,
}: {
  readonly hasPassphrase: boolean
  readonly isOpen: boolean
  readonly onOpen: (isOpen: boolean) => void
}): ReactNode {
  const { host, preferences } = useApp()
  const { text } = useTexts()
  const later = useLaterTexts()
  const { address } = useMiner()
  const passkey = useEngine()?.passkey ?? null
  const source = useSecretSource()
  const close = (): void => setOpen(false)
  async function forget(passphrase: string, signal: AbortSignal): Promise<void> {
    await host.account.removeAccount(address, passphrase, signal)
    if (passkey !== null) void forgetSecret(passkey)
    preferences.set(withoutAccount(preferences.snapshot(), address))
  }
  return (
    <Card title={text('security.forget')}>
      <p className="muted">{text('security.forgetText')}</p>
      <button type="button" className="button button-danger" onClick={() => setOpen(true)}>
        {text('security.forget')}
      </button>
      <Sheet isOpen={isOpen} onClose={close} title={text('security.forget')}>
        <Notice tone="danger">{text('security.forgetWarning')}</Notice>
        {passkey !== null && later !== null && source !== null && (
          <p className="muted small">
            <strong>{later(source.words.title)}.</strong> {later(source.words.removeText)}
          </p>
        )}
        {isOpen && (
          <UnlockForm
            hasPassphrase={hasPassphrase}
            onUnlock={forget}
            onDone={close}
            action="security.forget"
            working="common.working"
            look="button-danger"
          />
        )}
      </Sheet>
    </Card>
  )
}
