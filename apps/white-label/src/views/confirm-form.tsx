import { type ReactNode, useEffect, useState } from 'react'
import { useEngine, useTexts } from '../app/app-context.ts'
import { useAsker } from '../app/use-asker.ts'
import type { Opening } from '../engine/account-store.ts'
import { codeOf } from '../host/engine-connection.ts'
import { BusyButton, NotDone } from '../parts/busy-button.tsx'
import { PassphraseField } from '../parts/passphrase-field.tsx'
import { ByPasskey } from './by-passkey.tsx'

/**
 * Time the button must have been visible before it signs, in ms: protects against a click meant for something else.
 */
const SEEN_MS = 500

/** Has the key sign what is shown above it, by passphrase or passkey. An account without a passphrase has only the button. */
export function ConfirmForm<T>({
  action,
  working,
  cancel,
  isSigning = false,
  onAgree,
  onDone,
  onCancel,
}: {
  /** Texts of the buttons; `working` replaces `action` while the key is opened. */
  readonly action: string
  readonly working: string
  readonly cancel: string
  /** True while what was agreed to is carried out. */
  readonly isSigning?: boolean | undefined
  /** The signal is aborted when the form leaves the page. */
  readonly onAgree: (opening: Opening, signal: AbortSignal) => Promise<T>
  /** Called with what `onAgree` gave while the form is there. */
  readonly onDone: (given: T) => void
  readonly onCancel: () => void
}): ReactNode {
  const { text } = useTexts()
  const ask = useAsker()
  const [isSeen, setSeen] = useState(false)
  const [passphrase, setPassphrase] = useState('')
  const [fault, setFault] = useState<string | null>(null)
  const [isBusy, setBusy] = useState(false)
  const account = useEngine()?.account
  const asksPassphrase = account?.status !== 'open' || account.isSealed
  const isWorking = isBusy || isSigning

  useEffect(() => {
    const timer = setTimeout(() => setSeen(true), SEEN_MS)
    return () => clearTimeout(timer)
  }, [])

  async function confirm(): Promise<void> {
    setBusy(true)
    setFault(null)
    try {
      // Leaving during the check of passphrase or passkey cancels what was asked for.
      onDone(await ask((signal) => onAgree(passphrase, signal)))
    } catch (error) {
      setFault(text(codeOf(error) === 'KEYSTORE_UNLOCK_FAILED' ? 'lock.wrong' : 'lock.failed'))
      setBusy(false)
    }
  }

  return (
    <form
      className="form"
      onSubmit={(event) => {
        event.preventDefault()
        if (isSeen) void confirm()
      }}
      autoComplete="off"
    >
      {asksPassphrase && (
        <PassphraseField
          value={passphrase}
          onInput={(next) => {
            setPassphrase(next)
            setFault(null)
          }}
          fault={fault}
        />
      )}
      <BusyButton type="submit" className="button button-primary" isBusy={isWorking} disabled={!isSeen}>
        {isWorking ? working : action}
      </BusyButton>
      {!asksPassphrase && fault !== null && <NotDone />}
      {asksPassphrase && (
        <ByPasskey
          isDisabled={!isSeen || isWorking}
          onSecret={onAgree}
          onDone={onDone as (given: never) => void}
        />
      )}
      <button type="button" className="button button-quiet" onClick={onCancel} disabled={isSigning}>
        {cancel}
      </button>
    </form>
  )
}
