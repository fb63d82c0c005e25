import { type ReactNode, useState } from 'react'
import { useApp, useTexts } from '../app/app-context.ts'
import { Icon } from './icon.tsx'

/** Copies a public text, such as an address. Secrets have a button of their own. */
export function CopyButton({ value, label }: { readonly value: string; readonly label: string }): ReactNode {
  const { announce } = useApp()
  const { text } = useTexts()
  const [isCopied, setCopied] = useState(false)
  async function copy(): Promise<void> {
    try {
      await navigator.clipboard.writeText(value)
      setCopied(true)
      announce(text('common.copied'))
      setTimeout(() => setCopied(false), 2_000)
    } catch {
      announce(text('common.copyFailed'))
    }
  }
  return (
    <button type="button" className="button button-quiet" onClick={() => void copy()}>
      <Icon name={isCopied ? 'check' : 'copy'} />
      {isCopied ? text('common.copied') : label}
    </button>
  )
}
