import type { ReactNode } from 'react'
import { useApp, useTexts } from '../../app/app-context.ts'
import { useArrival } from '../../parts/arrival.ts'

/** One step of the first run: progress, heading, content. */
export function SetupFrame({
  title,
  step,
  hero,
  children,
}: {
  readonly title: string
  /** Number of the step, from 1; omitted on the first page. */
  readonly step?: number | undefined
  /** Content above and below the heading of the first page. */
  readonly hero?: { readonly above: ReactNode; readonly below: ReactNode } | undefined
  readonly children: ReactNode
}): ReactNode {
  const { brand } = useApp()
  const { text } = useTexts()
  const heading = useArrival(title)
  const steps = brand.referral.enabled ? 4 : 3
  const titleLine = (
    <h1 ref={heading} tabIndex={-1}>
      {title}
    </h1>
  )
  return (
    <main id="content" className="page setup">
      {step !== undefined && (
        <p className="setup-step">
          <span className="setup-dots" aria-hidden="true">
            {Array.from({ length: steps }, (_, at) => (
              <span key={at} className={at < step ? 'setup-dot is-on' : 'setup-dot'} />
            ))}
          </span>
          {text('setup.step', { step, steps })}
        </p>
      )}
      {hero === undefined ? (
        titleLine
      ) : (
        <div className="welcome">
          {hero.above}
          {titleLine}
          {hero.below}
        </div>
      )}
      {children}
    </main>
  )
}
