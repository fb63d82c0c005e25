import type { ReactNode } from 'react'

/** Outlines on a 24 × 24 grid, drawn in the colour of the surrounding text. */
const paths = {
  back: 'M15 5l-7 7 7 7',
  mine: 'M12 3v3m0 12v3m9-9h-3M6 12H3m14.5-6.5-2 2m-7 7-2 2m11 0-2-2m-7-7-2-2M12 9a3 3 0 1 0 0 6 3 3 0 0 0 0-6z',
  overview: 'M4 11l8-7 8 7v9h-5v-6H9v6H4v-9z',
  rewards: 'M4 19V9m5 10V5m5 14v-7m5 7V8',
  wallet: 'M4 7h14a2 2 0 0 1 2 2v9a2 2 0 0 1-2 2H6a2 2 0 0 1-2-2V7zm0 0 11-4v4m1 6h.01',
  invite:
    'M9 11a3.5 3.5 0 1 0 0-7 3.5 3.5 0 0 0 0 7zm-6 9c0-3.3 2.7-6 6-6 1.6 0 3.1.6 4.200 1.700M18 13v6m3-3h-6',
  more: 'M5 11h.01v1H5zm7 0h.01v1H12zm7 0h.01v1H19z',
  copy: 'M9 9h10v11H9zM5 15V4h10',
  check: 'M5 13l4 4 10-10',
  share: 'M12 15V4m0 0L8 8m4-4 4 4M5 13v6h14v-6',
  send: 'M5 19 19 5m0 0H9m10 0v10',
  receive: 'M19 5 5 19m0 0h10M5 19V9',
  next: 'M9 5l7 7-7 7',
  alert: 'M12 4 3 19h18L12 4zm0 6v4m0 3h.01',
  info: 'M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18zm0-10v5m0-8h.01',
  cross: 'M6 6l12 12M18 6 6 18',
  lock: 'M6 11h12v9H6zm2 0V8a4 4 0 0 1 8 0v3',
  scan: 'M4 8V4h4m8 0h4v4m0 8v4h-4m-8 0H4v-4m0-4h16',
} as const

export type IconName = keyof typeof paths

/** A decorative icon; the text beside it carries the meaning. */
export const Icon = ({ name }: { readonly name: IconName }): ReactNode => (
  <Outline
    path={paths[name]}
    flips={name === 'back' || name === 'next' || name === 'send' || name === 'receive'}
  />
)

/** Draws an outline of the icons' grid. */
export const Outline = ({
  path,
  flips,
}: {
  readonly path: string
  /** True if it points the other way where people read from right to left. */
  readonly flips?: boolean | undefined
}): ReactNode => (
  <svg className={flips ? 'icon flips' : 'icon'} viewBox="0 0 24 24" aria-hidden="true" focusable="false">
    <path d={path} />
  </svg>
)
