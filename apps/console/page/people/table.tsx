import type { ComponentChildren, JSX } from 'preact'

/** Times are UTC, as everywhere in the console. */
export const timeText = (iso: string | null): string =>
  iso === null ? 'never' : iso.slice(0, 16).replace('T', ' ')

/** A table with a name, in the look of the figures. */
export const Table = ({
  label,
  titles,
  children,
}: {
  readonly label: string
  readonly titles: readonly string[]
  readonly children: ComponentChildren
}): JSX.Element => (
  // biome-ignore lint/a11y/noNoninteractiveTabindex: a wide table is scrolled with the keyboard too
  <section class="table" tabIndex={0} aria-label={label}>
    <table>
      <thead>
        <tr>
          {titles.map((title) => (
            <th key={title} scope="col">
              {title}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>{children}</tbody>
    </table>
  </section>
)
