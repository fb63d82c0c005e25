import { type FormEvent, type ReactNode, useState } from 'react'
import { useTexts } from '../app/app-context.ts'
import { useAsker } from '../app/use-asker.ts'
import { codeOf } from '../host/engine-connection.ts'
import type { TextKey } from '../i18n/texts.ts'
import { BusyButton } from '../parts/busy-button.tsx'
import { PassphraseField } from '../parts/passphrase-field.tsx'
import { ByPasskey } from './by-passkey.tsx'

/** Unlocks the key with its passphrase, or with a passkey where that is enough. */
export function UnlockForm<T>({
  onUnlock,
  onPasskey,
  onDone,
  action = 'lock.unlock',
  working = 'lock.opening',
}: {
  /** The signal of both is aborted when the form leaves the page. */
  readonly onUnlock: (passphrase: string, signal: AbortSignal) => Promise<T>
  readonly onPasskey?: ((secret: Uint8Array<ArrayBuffer>, signal: AbortSignal) => Promise<T>) | undefined
  /** Called with what either gave while the form is there. */
  readonly onDone?: ((given: T) => void) | undefined
  readonly action?: TextKey | undefined
  /** Text of the button while `onUnlock` runs. */
  readonly working?: TextKey | undefined
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
      <PassphraseField
        value={passphrase}
        onInput={(next) => {
          setPassphrase(next)
          setFault(null)
        }}
        fault={fault}
      />
      <BusyButton type="submit" className="button button-primary" isBusy={isBusy}>
        {text(isBusy ? working : action)}
      </BusyButton>
      {onPasskey !== undefined && <ByPasskey onSecret={onPasskey} onDone={onDone} />}
    </form>
  )
}
