import { type FormEvent, type ReactNode, useState } from 'react'
import { useTexts } from '../app/app-context.ts'
import { useAsker } from '../app/use-asker.ts'
import { codeOf } from '../host/engine-connection.ts'
import type { TextKey } from '../i18n/texts.ts'
import { BusyButton, NotDone } from '../parts/busy-button.tsx'
import { PassphraseField } from '../parts/passphrase-field.tsx'
import { ByPasskey } from './by-passkey.tsx'

/** Form of an action that needs the passphrase, or a passkey where the action accepts one. */
export function UnlockForm<T>({
  onUnlock,
  onPasskey,
  onDone,
  hasPassphrase = true,
  action = 'lock.unlock',
  working = 'lock.opening',
  look = 'button-primary',
}: {
  /** The signal of both is aborted when the form leaves the page. */
  readonly onUnlock: (passphrase: string, signal: AbortSignal) => Promise<T>
  readonly onPasskey?: ((secret: Uint8Array<ArrayBuffer>, signal: AbortSignal) => Promise<T>) | undefined
  /** Called with what either gave while the form is there. */
  readonly onDone?: ((given: T) => void) | undefined
  /** False for an account without a passphrase, whose form has only the button. */
  readonly hasPassphrase?: boolean | undefined
  readonly action?: TextKey | undefined
  /** Text of the button while `onUnlock` runs. */
  readonly working?: TextKey | undefined
  readonly look?: 'button-primary' | 'button-danger' | undefined
}): ReactNode {
  const { text } = useTexts()
  const ask = useAsker()
  const [passphrase, setPassphrase] = useState('')
  const [fault, setFault] = useState<string | null>(null)
  const [isBusy, setBusy] = useState(false)
  async function unlock(event: FormEvent): Promise<void> {
    event.preventDefault()
    setBusy(true)
    setFault(null)
    try {
      const given = await ask((signal) => onUnlock(passphrase, signal))
      onDone?.(given)
    } catch (error) {
      setFault(text(codeOf(error) === 'KEYSTORE_UNLOCK_FAILED' ? 'lock.wrong' : 'lock.failed'))
    } finally {
      setBusy(false)
    }
  }
  return (
    <form className="form" onSubmit={(event) => void unlock(event)} autoComplete="off">
      {hasPassphrase && (
        <PassphraseField
          value={passphrase}
          onInput={(next) => {
            setPassphrase(next)
            setFault(null)
          }}
          fault={fault}
        />
      )}
      <BusyButton type="submit" className={`button ${look}`} isBusy={isBusy}>
        {text(isBusy ? working : action)}
      </BusyButton>
      {!hasPassphrase && fault !== null && <NotDone />}
      {onPasskey !== undefined && <ByPasskey onSecret={onPasskey} onDone={onDone} />}
    </form>
  )
}
