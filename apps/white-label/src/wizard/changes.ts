import type { View } from './ask.ts'
import { make } from './make.ts'
import { worded } from './words.ts'

const changes = make('ul', { className: 'changes' })

/** The list of settings that differ from the file, before and after. */
export const changed = make('div', { hidden: true }, worded(make('h3'), 'title.changes'), changes)

/** Shows each setting that differs from the file. */
export function showChanges(view: View): void {
  changed.hidden = view.changes.length === 0
  const rows = view.changes.map(({ path, before, after }) =>
    make(
      'li',
      {},
      make('code', { textContent: path }),
      ...(before === '' ? [] : [make('del', { textContent: before, dir: 'auto' })]),
      ...(after === '' ? [] : [make('ins', { textContent: after, dir: 'auto' })]),
    ),
  )
  changes.replaceChildren(...rows)
}
