import type { ReactNode } from 'react'
import { useTexts } from '../app/app-context.ts'
import { Field } from './field.tsx'

export function PassphraseField({
  value,
  fault,
  onInput,
}: {
  readonly value: string
  readonly fault: string | null
  readonly onInput: (value: string) => void
}): ReactNode {
  const { text } = useTexts()
  return (
    <Field
      label={text('lock.passphrase')}
      type="password"
      fault={fault}
      value={value}
      onInput={({ currentTarget }) => onInput(currentTarget.value)}
    />
  )
}
