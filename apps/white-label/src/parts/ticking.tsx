import { Fragment, type ReactNode } from 'react'
import { useNow } from '../app/app-context.ts'

/** Renders its children with the current time, so that an age that grows renders itself alone and not its view. */
export const Ticking = ({
  everyMs = 1_000,
  children,
}: {
  readonly everyMs?: number | undefined
  /** Called with Unix milliseconds. */
  readonly children: (nowMs: number) => ReactNode
}): ReactNode => <Fragment>{children(useNow(everyMs))}</Fragment>
