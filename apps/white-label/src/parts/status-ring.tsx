import type { ReactNode } from 'react'
import type { Tone } from '../app/explain-mining.ts'

/**
 * The sign around the figure. Its colour repeats the status text below it. It stands still, except that it widens once
 * for each signature: an animation without an end would keep a phone's processor busy as long as the page is open.
 */
export function StatusRing({
  tone,
  beat,
  children,
}: {
  readonly tone: Tone
  /** Time of the last signature; the sign moves when it changes. */
  readonly beat: number | null
  readonly children: ReactNode
}): ReactNode {
  return (
    <div className={`ring ring-${tone}`}>
      {tone === 'good' && beat !== null && <span className="ring-beat" key={beat} aria-hidden="true" />}
      <svg viewBox="0 0 120 120" aria-hidden="true">
        <circle className="ring-track" cx="60" cy="60" r="54" />
        <circle className="ring-arc" cx="60" cy="60" r="54" pathLength="100" />
      </svg>
      <div className="ring-face">{children}</div>
    </div>
  )
}
