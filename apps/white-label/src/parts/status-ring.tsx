import type { ReactNode } from 'react'
import type { Tone } from '../app/explain-mining.ts'

/** The ring around the button. Its colour and motion repeat the status text below it. */
export const StatusRing = ({
  tone,
  children,
}: {
  readonly tone: Tone
  readonly children: ReactNode
}): ReactNode => (
  <div className={`ring ring-${tone}`}>
    <svg viewBox="0 0 120 120" aria-hidden="true">
      <circle className="ring-track" cx="60" cy="60" r="54" />
      <circle className="ring-arc" cx="60" cy="60" r="54" pathLength="100" />
    </svg>
    {children}
  </div>
)
