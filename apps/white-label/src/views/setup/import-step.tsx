import { type FormEvent, type ReactNode, useState } from 'react'
import { useApp } from '../../app/app-context.ts'
import { useAsker } from '../../app/use-asker.ts'
import { codeOf, factsOf } from '../../host/engine-connection.ts'
import { type LaterKey, useViewTexts } from '../../i18n/later-texts.ts'
import type { TextKey, TextValues } from '../../i18n/texts.ts'
import { BusyButton } from '../../parts/busy-button.tsx'
import { Field } from '../../parts/field.tsx'
import { SetupFrame } from './setup-frame.tsx'

type Fault = { readonly key: TextKey | LaterKey; readonly values?: TextValues }

const HEX_DIGITS = 64

/** Returns the fault of a private key before it is imported. */
function keyFault(key: string): Fault | null {
  if (!/^[0-9a-fA-F]*$/.test(key)) return { key: 'import.notHex' }
  const isPadded = key.length === HEX_DIGITS + 2 && key.startsWith('00')
  if (key.length !== HEX_DIGITS && !isPadded)
    return { key: 'import.keyLength', values: { count: key.length } }
  return null
}

/** Returns the fault of a phrase or key. Never repeats the input. */
function faultOf(error: unknown): Fault {
  const facts = factsOf(error)
  switch (codeOf(error)) {
    case 'MNEMONIC_COUNT':
      return { key: 'import.wordCount', values: { count: Number(facts.count) } }
    case 'MNEMONIC_WORD':
      return { key: 'import.wordUnknown', values: { position: Number(facts.position) } }
    case 'MNEMONIC_CHECKSUM':
      return { key: 'import.wordsMixed' }
    case 'PRIVATE_KEY_MALFORMED':
      return { key: 'import.keyRange' }
    case 'KEYSTORE_UNLOCK_FAILED':
      return { key: 'lock.wrong' }
    case 'KEYSTORE_MALFORMED':
      return { key: 'import.fileDamaged' }
    default:
      return { key: 'import.failed' }
  }
}

export function ImportStep({
  onBack,
  onTaken,
  takeFile,
  onFile,
}: {
  readonly onBack: () => void
  /** Called when a key needs a passphrase. A keystore file has its own. */
  readonly onTaken: () => void
  /** Takes a keystore file. @default stores its account as the first one */
  readonly takeFile?: ((file: string, passphrase: string, signal: AbortSignal) => Promise<void>) | undefined
  /** Called when it was taken. */
  readonly onFile?: (() => void) | undefined
}): ReactNode {
  const { host } = useApp()
  const text = useViewTexts('import.')
  const ask = useAsker()
  const [secret, setSecret] = useState('')
  const [file, setFile] = useState<string | null>(null)
  const [passphrase, setPassphrase] = useState('')
  const [fault, setFault] = useState<Fault | null>(null)
  const [isBusy, setBusy] = useState(false)

  async function take(event: FormEvent): Promise<void> {
    event.preventDefault()
    const plain = secret.trim()
    const before = file === null && !/\s/.test(plain) ? keyFault(plain) : null
    setFault(plain === '' && file === null ? { key: 'import.empty' } : before)
    if (before !== null || (plain === '' && file === null)) return
    setBusy(true)
    try {
      const take = takeFile ?? host.account.importFile
      await ask((signal) =>
        file === null ? host.account.prepare(plain, signal) : take(file, passphrase, signal),
      )
      if (file === null) onTaken()
      else onFile?.()
    } catch (error) {
      setFault(faultOf(error))
      setBusy(false)
    }
  }

  return (
    <SetupFrame title={text('import.title')} step={1}>
      <p>{text('import.text')}</p>
      <form className="form" onSubmit={(event) => void take(event)} autoComplete="off">
        {file === null ? (
          <Field
            label={text('import.secret')}
            help={text('import.secretHelp')}
            fault={fault === null ? null : text(fault.key, fault.values)}
            isLong
            dir="ltr"
            value={secret}
            onInput={({ currentTarget }) => {
              setSecret(currentTarget.value)
              setFault(null)
            }}
          />
        ) : (
          <Field
            label={text('lock.passphrase')}
            type="password"
            fault={fault === null ? null : text(fault.key, fault.values)}
            value={passphrase}
            onInput={({ currentTarget }) => {
              setPassphrase(currentTarget.value)
              setFault(null)
            }}
          />
        )}
        <label className="file-picker">
          <span>{text('import.file')}</span>
          <input
            type="file"
            accept=".json,application/json"
            onChange={({ currentTarget }) =>
              void currentTarget.files?.[0]?.text().then((chosen) => {
                setFile(chosen)
                setFault(null)
              })
            }
          />
        </label>
        <BusyButton type="submit" className="button button-primary" isBusy={isBusy}>
          {text(isBusy ? 'common.working' : 'import.take')}
        </BusyButton>
        <button type="button" className="button button-quiet" onClick={onBack}>
          {text('common.back')}
        </button>
      </form>
    </SetupFrame>
  )
}
