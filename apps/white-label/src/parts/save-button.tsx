import { type ReactNode, useState } from 'react'
import { useTexts } from '../app/app-context.ts'
import { saveText } from '../app/save-text.ts'
import { ActionButton } from './busy-button.tsx'

/** Saves a text as a file, and says so if that failed. */
export function SaveButton({
  name,
  type,
  read,
  className,
  children,
}: {
  readonly name: string
  readonly type: string
  readonly read: (signal: AbortSignal) => Promise<string>
  readonly className: string
  readonly children: ReactNode
}): ReactNode {
  const { text } = useTexts()
  const [hasFailed, setFailed] = useState(false)
  async function save(signal: AbortSignal): Promise<void> {
    setFailed(false)
    try {
      const content = await read(signal)
      if (!signal.aborted) await saveText(name, content, type)
    } catch {
      setFailed(true)
    }
  }
  return (
    <>
      <ActionButton className={className} act={save} working={text('common.working')}>
        {children}
      </ActionButton>
      {hasFailed && (
        <p className="fault" role="alert">
          {text('common.notSaved')}
        </p>
      )}
    </>
  )
}
