import { type ReactNode, useEffect, useState } from 'react'
import { Link, useLocation } from 'wouter'
import { useApp, useEngine, useOnline, useTexts } from '../app/app-context.ts'
import { timeText } from '../text/time-text.ts'

/** Time after which nobody believes in an answer any more, in ms. */
const LATE_MS = 20_000

/** Who has to answer: the engine, the host of the app's files, or the servers of the network. */
export type AwaitedPart = 'engine' | 'files' | 'network'

type Wait = {
  readonly on: AwaitedPart
  /** True while no view of the app is there that a link could lead to. */
  readonly isAlone?: boolean | undefined
}

/**
 * Shows the placeholder of something that is being read. After a while it says in its place what is missing since when,
 * what is safe, and where to look. Nothing is loaded for these words: where one answer does not come, no other may either.
 */
export function Waiting({ children, ...wait }: Wait & { readonly children: ReactNode }): ReactNode {
  const [sinceMs] = useState(Date.now)
  const [isLate, setLate] = useState(false)
  useEffect(() => {
    const timer = setTimeout(setLate, LATE_MS, true)
    return () => clearTimeout(timer)
  }, [])
  return isLate ? <Late {...wait} sinceMs={sinceMs} /> : children
}

function Late({ on, isAlone = false, sinceMs }: Wait & { readonly sinceMs: number }): ReactNode {
  const { text, language } = useTexts()
  const { network, links } = useApp().brand
  const isOnline = useOnline()
  const hasViews = useEngine()?.snapshot != null && !isAlone
  const [path] = useLocation()
  const view = (href: string, name: string): ReactNode =>
    hasViews && href !== path && <Link href={href}>{name}</Link>
  const time = timeText(sinceMs, language)
  return (
    <div className="notice notice-warning notice-late" role="alert">
      <div className="notice-text">
        <p>
          {on === 'engine'
            ? text('late.engine', { time })
            : on === 'files'
              ? text('late.files', { time })
              : text('late.network', { time, host: new URL(network.api).host })}
        </p>
        {!isOnline && <p>{text('late.offline')}</p>}
        {on === 'engine' && <p>{text('late.tabs')}</p>}
        <p>{text('late.safe')}</p>
      </div>
      <div className="notice-action">
        <button type="button" className="button" onClick={() => location.reload()}>
          {text('late.again')}
        </button>
        {APP_MINES && view('/health', text('mine.health.title'))}
        {view('/more/network', text('more.network'))}
        {links.support !== null && (
          <a href={links.support} target="_blank" rel="noopener noreferrer">
            {text('more.support')}
          </a>
        )}
      </div>
    </div>
  )
}
