import type { ReactNode } from 'react'
import { useApp } from '../app/app-context.ts'
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
  const { hero } = useApp().brand.theme
  return (
    <div className={`ring ring-${tone} sign-${hero}`}>
      {tone === 'good' && beat !== null && <span className="ring-beat" key={beat} aria-hidden="true" />}
      <svg viewBox="0 0 120 120" aria-hidden="true">
        {drawings[hero]}
      </svg>
      <div className="ring-face">{children}</div>
    </div>
  )
}

const circles = (
  <>
    <circle className="ring-track" cx="60" cy="60" r="54" />
    <circle className="ring-arc" cx="60" cy="60" r="54" pathLength="100" />
  </>
)

/** Bars around the figure: `count` strokes from the centre outwards. */
const strokes = (count: number): string =>
  Array.from({ length: count }, (_, at) => {
    const angle = (at / count) * 2 * Math.PI
    const [x, y] = [Math.cos(angle), Math.sin(angle)]
    const pointAt = (radius: number): string =>
      [x, y].map((part) => Math.round((60 + radius * part) * 10) / 10).join(' ')
    return `M${pointAt(49)}L${pointAt(57)}`
  }).join('')

/** Four forms of the same sign. Each has a track and an arc, which the style sheet draws by the state. */
const drawings = {
  ring: circles,
  orb: (
    <>
      <circle className="sign-ground" cx="60" cy="60" r="50" />
      {circles}
    </>
  ),
  tide: (
    <>
      <circle className="ring-track" cx="60" cy="60" r="54" />
      <path
        className="sign-ground"
        transform="rotate(90 60 60)"
        d="M9 78c12-8 22-8 34 0s22 8 34 0 22-8 34 0a54 54 0 0 1-102 0z"
      />
      <circle className="ring-arc" cx="60" cy="60" r="54" pathLength="100" />
    </>
  ),
  bars: (
    <>
      <path className="ring-track" d={strokes(48)} />
      <path className="ring-arc" d={strokes(48)} pathLength="100" />
    </>
  ),
} as const
