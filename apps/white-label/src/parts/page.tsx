import type { ReactNode } from 'react'
import { Link } from 'wouter'
import { useTexts } from '../app/app-context.ts'
import { useArrival } from './arrival.ts'
import { Icon } from './icon.tsx'

/** A view with its heading, which is focused on arrival. */
export function Page({
  title,
  language,
  back,
  children,
}: {
  readonly title: string
  /** Language of the title. @default that of the app */
  readonly language?: string | undefined
  /** Target of the back arrow; without it no arrow is shown. */
  readonly back?: string | undefined
  readonly children: ReactNode
}): ReactNode {
  const { text } = useTexts()
  const heading = useArrival(title)
  return (
    <main id="content" className="page">
      <div className="page-head">
        {back !== undefined && (
          <Link href={back} className="icon-button" aria-label={text('common.back')}>
            <Icon name="back" />
          </Link>
        )}
        <h1 ref={heading} tabIndex={-1} lang={language}>
          {title}
        </h1>
      </div>
      {children}
    </main>
  )
}

/** A section of related things with an optional title. */
export function Card({
  title,
  aside,
  className = '',
  children,
}: {
  readonly title?: string | undefined
  readonly aside?: ReactNode
  readonly className?: string | undefined
  readonly children: ReactNode
}): ReactNode {
  return (
    <section className={`card ${className}`} aria-label={title}>
      {title !== undefined && (
        <div className="card-head">
          <h2>{title}</h2>
          {aside}
        </div>
      )}
      {children}
    </section>
  )
}
