import type { JSX } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { guides } from './guides.tsx'
import { type ContentsEntry, contents, entries } from './page-data.ts'
import { searchEntries } from './search-entries.ts'

const linkTo = (id: string): string => `#/${id}`

const Entry = ({ entry, place }: { readonly entry: ContentsEntry; readonly place: string }): JSX.Element => (
  <li>
    <a href={linkTo(entry.id)} aria-current={entry.id === place ? 'page' : undefined}>
      <span class={`method ${entry.method}`}>{entry.method}</span>{' '}
      <code>{entry.path.replace(/^\/api\/v1/, '')}</code> <small>{entry.summary}</small>
    </a>
  </li>
)

/** Moves between the field and the links of the list, as arrow keys do in a menu. */
function moveFocus(event: KeyboardEvent, root: HTMLElement | null): void {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
  if (step === undefined || root === null) return
  const stops = [...root.querySelectorAll<HTMLElement>('input, a')]
  const at = stops.indexOf(document.activeElement as HTMLElement)
  if (at < 0) return
  event.preventDefault()
  stops[Math.min(stops.length - 1, Math.max(0, at + step))]?.focus()
}

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && target.matches('input, textarea, select')

/** The slash puts the next letters into the field. */
function useSlash(field: { readonly current: HTMLInputElement | null }): void {
  useEffect(() => {
    const pressed = (event: KeyboardEvent): void => {
      if (event.key !== '/' || event.ctrlKey || event.metaKey || isTyping(event.target)) return
      event.preventDefault()
      field.current?.focus()
      field.current?.select()
    }
    addEventListener('keydown', pressed)
    return () => removeEventListener('keydown', pressed)
  }, [field])
}

const Everything = ({ place }: { readonly place: string }): JSX.Element => (
  <>
    <h2>For every endpoint</h2>
    <ul>
      {guides.map(({ id, title }) => (
        <li key={id}>
          <a href={linkTo(id)} aria-current={id === place ? 'page' : undefined}>
            {title}
          </a>
        </li>
      ))}
    </ul>
    {contents.groups.map((group) => (
      <section key={group.name} aria-label={group.name}>
        <h2>{group.name}</h2>
        <ul>
          {group.entries.map((entry) => (
            <Entry key={entry.id} entry={entry} place={place} />
          ))}
        </ul>
      </section>
    ))}
  </>
)

/** Search, and all endpoints below it. */
export function Contents({ place }: { readonly place: string }): JSX.Element {
  const [text, setText] = useState('')
  const root = useRef<HTMLElement>(null)
  const field = useRef<HTMLInputElement>(null)
  useSlash(field)
  // Whoever opened something is done with searching.
  useEffect(() => setText(''), [place])
  const wanted = text.trim()
  const found = wanted === '' ? entries : searchEntries(entries, wanted)
  const foundGuides =
    wanted === '' ? [] : guides.filter((one) => one.title.toLowerCase().includes(wanted.toLowerCase()))
  const open = (event: Event): void => {
    event.preventDefault()
    const first = found[0] ?? foundGuides[0]
    if (wanted !== '' && first !== undefined) location.hash = linkTo(first.id)
  }
  return (
    <nav
      ref={root}
      class={wanted === '' ? 'contents' : 'contents searching'}
      aria-label="Endpoints"
      onKeyDown={(event) => moveFocus(event, root.current)}
    >
      <search>
        <form onSubmit={open}>
          <input
            ref={field}
            type="search"
            aria-label="Search endpoints, parameters and members"
            placeholder="Search, such as refreward"
            autocomplete="off"
            value={text}
            onInput={({ currentTarget }) => setText(currentTarget.value)}
          />
        </form>
        <p role="status">
          {wanted === ''
            ? `${entries.length} endpoints`
            : `${found.length + foundGuides.length} found${found.length + foundGuides.length === 0 ? '. Try a path, a parameter or a member of an answer.' : ''}`}
        </p>
      </search>
      <div class="list">
        {wanted === '' ? (
          <Everything place={place} />
        ) : (
          <ul>
            {found.map((entry) => (
              <Entry key={entry.id} entry={entry} place={place} />
            ))}
            {foundGuides.map(({ id, title }) => (
              <li key={id}>
                <a href={linkTo(id)}>{title}</a>
              </li>
            ))}
          </ul>
        )}
      </div>
    </nav>
  )
}
