import { Fragment, type ReactNode } from 'react'

/** A list of labelled values; null values are left out. */
export function Facts({
  rows,
}: {
  readonly rows: readonly (readonly [name: string, value: ReactNode] | false)[]
}): ReactNode {
  return (
    <dl className="facts">
      {rows.map(
        (row) =>
          row !== false && (
            <Fragment key={row[0]}>
              <dt>{row[0]}</dt>
              <dd>{row[1]}</dd>
            </Fragment>
          ),
      )}
    </dl>
  )
}
