import { type ReactNode, useEffect, useRef } from 'react'
import { useApp, useTexts } from '../../app/app-context.ts'

/** One step of the first run: its place among the steps, a heading, and what to do. */
export function SetupFrame({
  title,
  step,
  children,
}: {
  readonly title: string
  /** From 1; none on the first page. */
  readonly step?: number | undefined
  readonly children: ReactNode
}): ReactNode {
  const { brand } = useApp()
  const { text } = useTexts()
  const heading = useRef<HTMLHeadingElement>(null)
  const steps = brand.referral.enabled ? 4 : 3
  useEffect(() => {
    document.title = `${title} – ${brand.app.name}`
    heading.current?.focus({ preventScroll: true })
  }, [title, brand])
  return (
    <main id="content" className="page setup">
      {step !== undefined && <p className="setup-step">{text('setup.step', { step, steps })}</p>}
      <h1 ref={heading} tabIndex={-1}>
        {title}
      </h1>
      {children}
    </main>
  )
}
