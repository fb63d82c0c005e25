import { type ButtonHTMLAttributes, type ReactNode, useRef, useState } from 'react'

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

/** A button that runs one action at a time. */
export function ActionButton({
  act,
  working,
  children,
  ...rest
}: {
  readonly act: () => Promise<unknown>
  /** Label while it works, if different. */
  readonly working?: string | undefined
} & ButtonHTMLAttributes<HTMLButtonElement>): ReactNode {
  const isActing = useRef(false)
  const [isBusy, setBusy] = useState(false)
  async function run(): Promise<void> {
    if (isActing.current) return
    isActing.current = true
    setBusy(true)
    await act().finally(() => {
      isActing.current = false
      setBusy(false)
    })
  }
  return (
    <BusyButton {...rest} type="button" isBusy={isBusy} onClick={() => void run()}>
      {isBusy && working !== undefined ? working : children}
    </BusyButton>
  )
}
