import type { ReactNode } from 'react'
import { useLaterTexts } from '../i18n/later-texts.ts'
import { CopyButton } from './copy-button.tsx'
import { Sheet } from './sheet.tsx'

/** Every digit of an amount that is shown cut, to be copied. */
export function ExactSheet({
  exact,
  onClose,
}: {
  /** With its symbol. */
  readonly exact: string
  readonly onClose: () => void
}): ReactNode {
  const text = useLaterTexts()
  if (text === null) return null
  const [number = '', ...symbol] = exact.split(' ')
  return (
    <Sheet isOpen onClose={onClose} title={text('exact.title')}>
      <p className="amount exact-amount">
        <bdi style={{ '--letters': number.length } as never}>{number}</bdi> {symbol.join(' ')}
      </p>
      <div className="actions">
        <CopyButton value={number} label={text('exact.copy')} />
      </div>
    </Sheet>
  )
}
