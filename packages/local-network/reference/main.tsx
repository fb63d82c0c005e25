import './reference.css'
import { type JSX, type RefObject, render } from 'preact'
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { Contents } from './contents.tsx'
import { guides, introduction, Prose } from './guides.tsx'
import { OperationView } from './operation-view.tsx'
import { contents, entries } from './page-data.ts'

/** Returns the place named by the part of the address after the number sign. */
function placeNow(): string {
  return decodeURIComponent(location.hash.replace(/^#\/?/, ''))
}

function titleOf(place: string): string {
  const entry = entries.find(({ id }) => id === place)
  return entry?.summary ?? guides.find(({ id }) => id === place)?.title ?? 'API reference'
}

function View({ place }: { readonly place: string }): JSX.Element {
  const entry = entries.find(({ id }) => id === place)
  if (entry !== undefined) return <OperationView key={place} entry={entry} />
  const guide = guides.find(({ id }) => id === place)
  if (guide !== undefined)
    return (
      <>
        <h2>{guide.title}</h2>
        <Prose text={guide.text} />
      </>
    )
  return (
    <>
      <h2>{place === '' ? 'How to use this page' : 'There is no such page'}</h2>
      <Prose text={introduction} />
      <p>
        Every form begins with values of this chain, as it is now, and sends its request to this node. Press{' '}
        <kbd>/</kbd> to search, the arrow keys to go through what was found, and Enter to open it.
      </p>
      <p>
        The whole reference as an OpenAPI 3.1 document: <a href="/docs/json">/docs/json</a>.
      </p>
    </>
  )
}

/** Names the window after the page; after a move the next key goes to its beginning. */
function useArrival(place: string): RefObject<HTMLElement | null> {
  const main = useRef<HTMLElement>(null)
  const last = useRef(place)
  useLayoutEffect(() => {
    document.title = `${titleOf(place)} – ${contents.title}`
    if (last.current === place) return
    last.current = place
    scrollTo(0, 0)
    main.current?.focus({ preventScroll: true })
  }, [place])
  return main
}

function Reference(): JSX.Element {
  const [place, setPlace] = useState(placeNow)
  useEffect(() => {
    const moved = (): void => setPlace(placeNow())
    addEventListener('hashchange', moved)
    // An effect comes after the frame: the address may have changed since the first look at it.
    moved()
    return () => removeEventListener('hashchange', moved)
  }, [])
  const main = useArrival(place)
  return (
    <>
      <header>
        <h1>
          <a href="#/">API reference</a> <small>version {contents.version}</small>
        </h1>
        <nav aria-label="Pages">
          <a href="/">Explorer</a>
          <a href="/docs/json">OpenAPI</a>
        </nav>
      </header>
      <div class={place === '' ? 'columns at-home' : 'columns'}>
        <Contents place={place} />
        <main ref={main} tabIndex={-1}>
          <View place={place} />
        </main>
      </div>
    </>
  )
}

const root = document.getElementById('reference')
root?.replaceChildren()
if (root !== null) render(<Reference />, root)
