import type { ReactNode } from 'react'

/** A name and its value, in a list of facts. They share a line where both fit on it. */
export const Fact = ({
  name,
  children,
}: {
  readonly name: string
  readonly children: ReactNode
}): ReactNode => (
  <div className="fact">
    <dt>{name}</dt>
    {children}
  </div>
)
