import { type FormEvent, type ReactNode, useState } from 'react'
import { useApp, useTexts } from '../../app/app-context.ts'
import { mayStayUnprotected } from '../../app/backup-rule.ts'
import { strengthOf } from '../../app/passphrase-strength.ts'
import { useAsker } from '../../app/use-asker.ts'
import { codeOf } from '../../host/engine-connection.ts'
import { ActionButton, BusyButton } from '../../parts/busy-button.tsx'
import { Field } from '../../parts/field.tsx'
import { Notice } from '../../parts/notice.tsx'
import { SetupFrame } from './setup-frame.tsx'

const SHORTEST = 8

/** Two fields for a new passphrase. */
function NewPassphrase({
  onSet,
}: {
  readonly onSet: (passphrase: string, signal: AbortSignal) => Promise<void>
}): ReactNode {
  const { text } = useTexts()
  const ask = useAsker()
  const [first, setFirst] = useState('')
  const [second, setSecond] = useState('')
  const [faults, setFaults] = useState<readonly [string | null, string | null]>([null, null])
  const [isBusy, setBusy] = useState(false)
  const [isRevealed, setRevealed] = useState(false)
  const type = isRevealed ? 'text' : 'password'

  async function set(event: FormEvent): Promise<void> {
    event.preventDefault()
    const isShort = [...first.normalize('NFKC')].length < SHORTEST
    const isEasy = !isShort && strengthOf(first) === 'easy'
    const isOther = first !== second
    setFaults([
      isShort ? text('lock.short', { count: SHORTEST }) : isEasy ? text('lock.easy') : null,
      isOther && !isShort ? text('lock.differs') : null,
    ])
    if (isShort || isEasy || isOther) return
    setBusy(true)
    await ask((signal) => onSet(first, signal))
      .catch((error: unknown) =>
        setFaults([
          text(codeOf(error) === 'KEYSTORE_WRITE_FAILED' ? 'lock.full' : 'common.brokenText'),
          null,
        ]),
      )
      .finally(() => setBusy(false))
  }

  return (
    <form className="form" onSubmit={(event) => void set(event)} autoComplete="off">
      <Field
        label={text('lock.passphrase')}
        help={text('lock.help', { count: SHORTEST })}
        fault={faults[0]}
        type={type}
        value={first}
        onInput={({ currentTarget }) => {
          setFirst(currentTarget.value)
          setFaults([null, null])
        }}
      />
      <StrengthLine passphrase={first} />
      <Field
        label={text('lock.again')}
        fault={faults[1]}
        type={type}
        value={second}
        onInput={({ currentTarget }) => {
          setSecond(currentTarget.value)
          setFaults([faults[0], null])
        }}
      />
      <button
        type="button"
        className="button button-quiet"
        aria-pressed={isRevealed}
        onClick={() => setRevealed(!isRevealed)}
      >
        {text('lock.reveal')}
      </button>
      <BusyButton type="submit" className="button button-primary" isBusy={isBusy}>
        {text(isBusy ? 'lock.encrypting' : 'lock.set')}
      </BusyButton>
    </form>
  )
}

const levels = {
  easy: { parts: 1, key: 'lock.strength.weak' },
  weak: { parts: 1, key: 'lock.strength.weak' },
  fair: { parts: 2, key: 'lock.strength.fair' },
  strong: { parts: 3, key: 'lock.strength.strong' },
} as const

/** The strength in words, and as three bars for the eye. */
function StrengthLine({ passphrase }: { readonly passphrase: string }): ReactNode {
  const { text } = useTexts()
  const strength = [...passphrase].length < SHORTEST ? null : strengthOf(passphrase)
  return (
    <p className="strength small muted" role="status" data-strength={strength ?? ''}>
      {strength !== null && (
        <>
          <span className="strength-bars" aria-hidden="true">
            {[1, 2, 3].map((part) => (
              <span
                key={part}
                className={part <= levels[strength].parts ? 'strength-bar is-on' : 'strength-bar'}
              />
            ))}
          </span>
          {text(levels[strength].key)}
        </>
      )}
    </p>
  )
}

/** Sets the passphrase, or stores the key without one if the brand allows it. */
export function LockStep({
  isImport,
  onBack,
}: {
  readonly isImport: boolean
  readonly onBack: () => void
}): ReactNode {
  const { brand, host } = useApp()
  const { text } = useTexts()
  return (
    <SetupFrame title={text('lock.title')} step={isImport ? 2 : 1}>
      <p>{text('lock.text')}</p>
      <NewPassphrase onSet={host.account.seal} />
      {mayStayUnprotected(brand) && (
        <>
          <Notice tone="warning">{text('lock.skipText')}</Notice>
          <ActionButton className="button button-quiet" act={() => host.account.storeUnprotected()}>
            {text('lock.skip')}
          </ActionButton>
        </>
      )}
      <button type="button" className="button button-quiet" onClick={onBack}>
        {text('common.back')}
      </button>
    </SetupFrame>
  )
}
