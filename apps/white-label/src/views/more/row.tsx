import type { ReactNode } from 'react'
import { Link } from 'wouter'
import { Icon, type IconName, Outline } from '../../parts/icon.tsx'

const DISC = 'M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18z'

/** Outlines that only these rows have: what every page loads stays small. */
const paths = {
  accounts:
    'M9 11a3.5 3.5 0 1 0 0-7 3.5 3.5 0 0 0 0 7zm-6 9c0-3.3 2.7-6 6-6s6 2.7 6 6M15.5 4.3a3.5 3.5 0 0 1 0 6.4M18 14.6c1.8 1 3 3 3 5.4',
  bell: 'M4 17h16l-2-2v-4a6 6 0 0 0-12 0v4l-2 2zm6 4h4',
  clock: `${DISC}m0-14v5l3.5 2`,
  contrast: `${DISC}V3m0 5h7m-7 4h9m-9 4h7`,
  globe: `${DISC}M3 12h18M12 3c2.7 2.5 4 5.5 4 9s-1.3 6.5-4 9c-2.7-2.5-4-5.5-4-9s1.3-6.5 4-9z`,
  help: `${DISC}M9.5 9.5a2.5 2.5 0 1 1 3.6 2.2c-.7.3-1.1.9-1.1 1.8m0 3h.01`,
  install: 'M12 4v10m0 0-4-4m4 4 4-4M5 17v3h14v-3',
  network:
    'M12 8a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5zM5.5 21a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5zm13 0a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5zM10.9 7.7l-4.3 8.6m6.5-8.6 4.3 8.6',
  page: 'M6 3h8l4 4v14H6zm8 0v4h4M9 12h6m-6 4h6',
  pulse: 'M3 12h4l3-7 4 14 3-7h4',
  speech: 'M4 5h16v11h-9l-4 4v-4H4z',
} as const

export type RowIcon = IconName | keyof typeof paths

const isOwn = (icon: RowIcon): icon is keyof typeof paths => icon in paths

/** State at the end of a row, with a colour and a sign where it is good or needs somebody. */
export type RowState = {
  readonly text: ReactNode
  readonly tone?: 'good' | 'warning' | undefined
}

/** Icon, name and state of a row. */
export function RowFace({
  icon,
  states = [],
  children,
}: {
  readonly icon: RowIcon
  readonly states?: readonly RowState[] | undefined
  readonly children: ReactNode
}): ReactNode {
  return (
    <>
      {isOwn(icon) ? <Outline path={paths[icon]} /> : <Icon name={icon} />}
      <span className="link-text">
        {children}
        {states.length > 0 && (
          <span className="link-states">
            {states.map(({ text, tone }, index) => (
              <span key={index} className={tone === undefined ? 'link-state' : `link-state tone-${tone}`}>
                {tone !== undefined && <Icon name={tone === 'good' ? 'check' : 'alert'} />}
                {text}
              </span>
            ))}
          </span>
        )}
      </span>
    </>
  )
}

/** Row of More: what it leads to, and the state of that where the app knows one. */
export function Row({
  href,
  isOutside = false,
  ...face
}: {
  readonly href: string
  readonly icon: RowIcon
  /** True if it leads out of the app. */
  readonly isOutside?: boolean | undefined
  readonly states?: readonly RowState[] | undefined
  readonly children: ReactNode
}): ReactNode {
  const content = (
    <>
      <RowFace {...face} />
      <Icon name="next" />
    </>
  )
  return (
    <li>
      {isOutside ? (
        <a href={href} className="link-row" target="_blank" rel="noopener noreferrer">
          {content}
        </a>
      ) : (
        <Link href={href} className="link-row">
          {content}
        </Link>
      )}
    </li>
  )
}
