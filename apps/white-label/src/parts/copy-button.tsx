import { type ReactNode, useEffect, useId, useState } from 'react'
import { useApp, useTexts } from '../app/app-context.ts'
import type { TextKey } from '../i18n/texts.ts'
import { Icon } from './icon.tsx'

const SHOWN_MS = 2_000

/** Copies a public text such as an address. Secrets have a button of their own. */
export function CopyButton({
  value,
  label,
  subject,
}: {
  readonly value: string
  readonly label: string
  /** Id of the element that tells this button from others with its label. */
  readonly subject?: string | undefined
}): ReactNode {
  const id = useId()
  const { announce } = useApp()
  const { text } = useTexts()
  const [answer, setAnswer] = useState<{ readonly key: TextKey } | null>(null)
  useEffect(() => {
    if (answer === null) return
    const timer = setTimeout(() => setAnswer(null), SHOWN_MS)
    return () => clearTimeout(timer)
  }, [answer])
  const tell = (key: TextKey): void => {
    setAnswer({ key })
    announce(text(key))
  }
  async function copy(): Promise<void> {
    try {
      await navigator.clipboard.writeText(value)
      tell('common.copied')
    } catch {
      tell('common.copyFailed')
    }
  }
  return (
    <button
      type="button"
      id={id}
      aria-labelledby={subject && `${id} ${subject}`}
      className="button button-quiet"
      onClick={() => void copy()}
    >
      <Icon name={answer === null ? 'copy' : answer.key === 'common.copied' ? 'check' : 'cross'} />
      {answer === null ? label : text(answer.key)}
    </button>
  )
}
