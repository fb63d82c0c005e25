import type { ReactNode } from 'react'
import { Art, type ArtName } from './art.tsx'

/** A place with nothing in it yet: a picture, what will be here, and at most one thing to do. */
export const Empty = ({
  art,
  children,
  action,
}: {
  readonly art: ArtName
  readonly children: ReactNode
  readonly action?: ReactNode
}): ReactNode => (
  <div className="empty">
    <Art name={art} />
    <p>{children}</p>
    {action}
  </div>
)
