import { type ReactNode, useEffect, useRef, useState } from 'react'

/**
 * Renders its children with the current time, so that an age that grows renders itself alone and not its view. A text
 * that stays the same is not rendered again, and nothing is while the page is hidden. All tick at whole multiples of their
 * interval, so that texts that change do so in one frame.
 */
export function Ticking({
  everyMs = 1_000,
  children,
}: {
  readonly everyMs?: number | undefined
  /** Called with Unix milliseconds. */
  readonly children: (nowMs: number) => string
}): ReactNode {
  const [, setShown] = useState('')
  const make = useRef(children)
  make.current = children
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout>
    const wait = (): void => {
      timer = setTimeout(tick, everyMs - (Date.now() % everyMs))
    }
    const tick = (): void => {
      if (!document.hidden) setShown(make.current(Date.now()))
      wait()
    }
    wait()
    return () => clearTimeout(timer)
  }, [everyMs])
  return children(Date.now())
}
