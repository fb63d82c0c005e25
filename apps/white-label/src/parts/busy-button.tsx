import { type ButtonHTMLAttributes, type ReactNode, useRef, useState } from 'react'

/**
 * A button whose work takes a while. Meanwhile it does nothing a second time and keeps the focus, which a
 * disabled button would lose: whoever uses the keyboard would have to find the place again.
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
        // Of a form: what Enter in one of its fields sends comes by here, too.
        if (isBusy) event.preventDefault()
        else onClick?.(event)
      }}
    >
      {children}
    </button>
  )
}

/** A button that does one thing, once at a time. */
export function ActionButton({
  act,
  working,
  children,
  ...rest
}: {
  readonly act: () => Promise<unknown>
  /** What stands on it meanwhile, where that is something else. */
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
