import { useMiner } from '@hailstone/react'
import { type FormEvent, type ReactNode, useEffect, useState } from 'react'
import { useApp, useTexts } from '../../app/app-context.ts'
import type { PasskeyRequest } from '../../engine/passkey-box.ts'
import { codeOf } from '../../host/engine-connection.ts'
import {
  createPasskey,
  forgetPasskey,
  type PasskeySupport,
  PasskeyWithoutSecret,
  passkeySupport,
} from '../../host/passkey.ts'
import { type LaterKey, useLaterTexts } from '../../i18n/later-texts.ts'
import { ActionButton, BusyButton } from '../../parts/busy-button.tsx'
import { Notice } from '../../parts/notice.tsx'
import { Card } from '../../parts/page.tsx'
import { PassphraseField } from '../../parts/passphrase-field.tsx'
import { Sheet } from '../../parts/sheet.tsx'
import { useLeaving } from '../use-leaving.ts'

const lacks: Readonly<Record<PasskeySupport, LaterKey | null>> = {
  full: null,
  device: 'passkey.noDevice',
  secret: 'passkey.noSecret',
  host: 'passkey.noHost',
  browser: 'passkey.noBrowser',
}

/** Sets up and removes the passkey of the account, and says what is missing for one. */
export function PasskeyCard(): ReactNode {
  const { host } = useApp()
  const later = useLaterTexts()
  const [support, setSupport] = useState<PasskeySupport | null>(null)
  const [passkey, setPasskey] = useState<PasskeyRequest | null>(null)
  const [isOpen, setOpen] = useState(false)
  const read = (): Promise<void> => host.account.passkey().then(setPasskey, () => undefined)
  useEffect(() => {
    void passkeySupport().then(setSupport)
    void host.account.passkey().then(setPasskey, () => undefined)
  }, [host])
  if (later === null || support === null) return null
  const lack = lacks[support]

  async function remove(): Promise<void> {
    if (passkey === null) return
    await host.account.removePasskey()
    if (support !== 'browser') forgetPasskey(passkey)
    await read()
  }
  return (
    <Card title={later('passkey.title')}>
      <p>{later(passkey === null ? 'passkey.text' : 'passkey.isSetUp')}</p>
      {lack !== null && <p className="muted">{later(lack)}</p>}
      {passkey !== null && (
        <>
          <ActionButton className="button" act={remove}>
            {later('passkey.remove')}
          </ActionButton>
          <p className="muted small">{later('passkey.removeText')}</p>
        </>
      )}
      {passkey === null && (lack === null || support === 'device') && (
        <button type="button" className="button" onClick={() => setOpen(true)}>
          {later('passkey.setUp')}
        </button>
      )}
      <Sheet isOpen={isOpen} onClose={() => setOpen(false)} title={later('passkey.setUp')}>
        <SetUp
          onDone={() => {
            setOpen(false)
            void read()
          }}
        />
      </Sheet>
    </Card>
  )
}

/**
 * Verifies the passphrase first, so that a wrong one leaves no passkey behind, and asks the device after another press:
 * some browsers allow that only right after one.
 */
function SetUp({ onDone }: { readonly onDone: () => void }): ReactNode {
  const { brand, host } = useApp()
  const { text } = useTexts()
  const later = useLaterTexts()
  const { address } = useMiner()
  const leaving = useLeaving()
  const [passphrase, setPassphrase] = useState('')
  const [isVerified, setVerified] = useState(false)
  const [isBusy, setBusy] = useState(false)
  const [fault, setFault] = useState<string | null>(null)
  const [note, setNote] = useState<string | null>(null)
  if (later === null) return null
  const words = later

  async function verify(event: FormEvent): Promise<void> {
    event.preventDefault()
    setBusy(true)
    setFault(null)
    try {
      await host.account.verify(passphrase)
      setVerified(true)
    } catch (error) {
      setFault(text(codeOf(error) === 'KEYSTORE_UNLOCK_FAILED' ? 'lock.wrong' : 'lock.failed'))
    } finally {
      setBusy(false)
    }
  }

  async function create(): Promise<void> {
    setNote(null)
    try {
      const made = await createPasskey({ app: brand.app.name, brandId: brand.id, address }, leaving())
      if (made === null) return setNote(words('passkey.notMade'))
      try {
        await host.account.addPasskey(passphrase, made)
      } catch (error) {
        forgetPasskey(made)
        throw error
      } finally {
        made.secret.fill(0)
      }
      onDone()
    } catch (error) {
      const hasNone = error instanceof PasskeyWithoutSecret
      setNote(words(hasNone ? 'passkey.noSecret' : 'passkey.failed'))
    }
  }
  return (
    <>
      <p>{words('passkey.setUpText')}</p>
      {isVerified ? (
        <ActionButton className="button button-primary" act={create} working={words('passkey.waiting')}>
          {words('passkey.create')}
        </ActionButton>
      ) : (
        <form className="form" onSubmit={(event) => void verify(event)} autoComplete="off">
          <PassphraseField
            value={passphrase}
            onInput={(next) => {
              setPassphrase(next)
              setFault(null)
            }}
            fault={fault}
          />
          <BusyButton type="submit" className="button button-primary" isBusy={isBusy}>
            {text(isBusy ? 'common.working' : 'common.continue')}
          </BusyButton>
        </form>
      )}
      {note !== null && (
        <Notice tone="info" role="status">
          {note}
        </Notice>
      )}
    </>
  )
}
