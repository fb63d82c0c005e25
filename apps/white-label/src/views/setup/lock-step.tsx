import { type FormEvent, type ReactNode, useState } from 'react'
import { useApp, useTexts } from '../../app/app-context.ts'
import { mayStayUnprotected } from '../../app/backup-rule.ts'
import { ActionButton, BusyButton } from '../../parts/busy-button.tsx'
import { Field } from '../../parts/field.tsx'
import { Notice } from '../../parts/notice.tsx'
import { SetupFrame } from './setup-frame.tsx'

const SHORTEST = 8

/** Two fields for a new passphrase. */
function NewPassphrase({ onSet }: { readonly onSet: (passphrase: string) => Promise<void> }): ReactNode {
  const { text } = useTexts()
  const [first, setFirst] = useState('')
  const [second, setSecond] = useState('')
  const [faults, setFaults] = useState<readonly [string | null, string | null]>([null, null])
  const [isBusy, setBusy] = useState(false)

  async function set(event: FormEvent): Promise<void> {
    event.preventDefault()
    const isShort = [...first.normalize('NFKC')].length < SHORTEST
    const isOther = first !== second
    setFaults([
      isShort ? text('lock.short', { count: SHORTEST }) : null,
      isOther && !isShort ? text('lock.differs') : null,
    ])
    if (isShort || isOther) return
    setBusy(true)
    await onSet(first)
      .catch(() => setFaults([text('common.brokenText'), null]))
      .finally(() => setBusy(false))
  }

  return (
    <form className="form" onSubmit={(event) => void set(event)} autoComplete="off">
      <Field
        label={text('lock.passphrase')}
        help={text('lock.help', { count: SHORTEST })}
        fault={faults[0]}
        type="password"
        value={first}
        onInput={({ currentTarget }) => {
          setFirst(currentTarget.value)
          setFaults([null, null])
        }}
      />
      <Field
        label={text('lock.again')}
        fault={faults[1]}
        type="password"
        value={second}
        onInput={({ currentTarget }) => {
          setSecond(currentTarget.value)
          setFaults([faults[0], null])
        }}
      />
      <BusyButton type="submit" className="button button-primary" isBusy={isBusy}>
        {text(isBusy ? 'lock.encrypting' : 'lock.set')}
      </BusyButton>
    </form>
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
  async function seal(passphrase: string): Promise<void> {
    await host.account.seal(passphrase)
    // Firefox asks the person and answers when they do, which may be never.
    void navigator.storage?.persist?.().catch(() => false)
  }
  return (
    <SetupFrame title={text('lock.title')} step={isImport ? 2 : 1}>
      <p>{text('lock.text')}</p>
      <NewPassphrase onSet={seal} />
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
