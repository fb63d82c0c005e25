import { type ReactNode, useEffect, useRef, useState } from 'react'

/**
 * Renders its children with the current time, so that an age that grows renders itself alone and not its view. A text
 * that stays the same is not rendered again, and nothing is while the page is hidden.
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
    const timer = setInterval(() => {
      if (!document.hidden) setShown(make.current(Date.now()))
    }, everyMs)
    return () => clearInterval(timer)
  }, [everyMs])
  return children(Date.now())
}
