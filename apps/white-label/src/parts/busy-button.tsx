import { type ButtonHTMLAttributes, type ReactNode, useRef, useState } from 'react'
import { useTexts } from '../app/app-context.ts'
import { useAsker } from '../app/use-asker.ts'

/**
 * A button with asynchronous work. While it runs the button ignores presses and stays focusable: a disabled one would
 * lose the focus of people who use the keyboard.
 */
export function BusyButton({
  isBusy,
  onClick,
  children,
  ...rest
}: { readonly isBusy: boolean } & ButtonHTMLAttributes<HTMLButtonElement>): ReactNode {
  return (
    <button
      {...rest}
      aria-disabled={isBusy ? true : undefined}
      onClick={(event) => {
        // Enter in a field of the form submits through this button, too.
        if (isBusy) event.preventDefault()
        else onClick?.(event)
      }}
    >
      {children}
    </button>
  )
}

/** Says that an action did not work. */
export function NotDone(): ReactNode {
  const { text } = useTexts()
  return (
    <p className="fault" role="alert">
      {text('common.notDone')}
    </p>
  )
}

/** A button that runs one action at a time. If the action rejects, a sentence beneath says that it did not work. */
export function ActionButton<T>({
  act,
  onDone,
  working,
  children,
  ...rest
}: {
  /** Its signal is aborted when the button leaves the page. */
  readonly act: (signal: AbortSignal) => Promise<T>
  /** Called with the answer while the button is there. */
  readonly onDone?: ((answer: T) => void) | undefined
  /** Label while it works, if different. */
  readonly working?: string | undefined
} & ButtonHTMLAttributes<HTMLButtonElement>): ReactNode {
  const ask = useAsker()
  const isActing = useRef(false)
  const [isBusy, setBusy] = useState(false)
  const [hasFailed, setFailed] = useState(false)
  async function run(): Promise<void> {
    if (isActing.current) return
    isActing.current = true
    setBusy(true)
    setFailed(false)
    try {
      const answer = await ask(act)
      onDone?.(answer)
    } catch {
      setFailed(true)
    } finally {
      isActing.current = false
      setBusy(false)
    }
  }
  return (
    <>
      <BusyButton {...rest} type="button" isBusy={isBusy} onClick={() => void run()}>
        {isBusy && working !== undefined ? working : children}
      </BusyButton>
      {hasFailed && <NotDone />}
    </>
  )
}
