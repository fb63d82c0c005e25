import './explorer.css'
import { type JSX, type RefObject, render } from 'preact'
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { placeOf } from './parts.tsx'
import { AccountView } from './views/account.tsx'
import { Macroblock, Microblock } from './views/blocks.tsx'
import { Home } from './views/home.tsx'
import { Search } from './views/search.tsx'
import { Miners, Tokens, TokenView } from './views/tokens.tsx'
import { Transaction } from './views/transaction.tsx'

function View({ place }: { readonly place: string }): JSX.Element {
  const [, kind = '', name = '', more = '0'] = place.split('/')
  switch (kind) {
    case '':
      return <Home />
    case 'height':
      return <Macroblock height={Number(name)} />
    case 'microblock':
      return <Microblock hash={name} />
    case 'transaction':
      return <Transaction hash={name} />
    case 'account':
      return <AccountView address={name} page={Number(more)} />
    case 'tokens':
      return <Tokens page={Number(name)} />
    case 'token':
      return <TokenView id={name} />
    case 'miners':
      return <Miners />
    default:
      return <p>There is no such page.</p>
  }
}

/** Names the window after the page; whoever comes to another one is at its top, and the next key goes to it. */
function useArrival(place: string): RefObject<HTMLElement | null> {
  const main = useRef<HTMLElement>(null)
  const last = useRef(place)
  useLayoutEffect(() => {
    const [, kind = '', name = ''] = place.split('/')
    document.title = `${kind === '' ? '' : `${kind} ${name.slice(0, 10)} – `}Hailstone network`
    if (last.current === place) return
    last.current = place
    scrollTo(0, 0)
    main.current?.focus({ preventScroll: true })
  }, [place])
  return main
}

function Explorer(): JSX.Element {
  const [place, setPlace] = useState(location.hash)
  useEffect(() => {
    const moved = (): void => setPlace(location.hash)
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
          <a href={placeOf.home()}>Hailstone network</a>
        </h1>
        <nav aria-label="Pages">
          <a href={placeOf.tokens()}>Tokens</a>
          <a href={placeOf.miners()}>Miners</a>
          <a href="/docs">API reference</a>
        </nav>
        <Search />
      </header>
      <main ref={main} tabIndex={-1}>
        <View place={place} />
      </main>
    </>
  )
}

const root = document.getElementById('explorer')
root?.replaceChildren()
if (root !== null) render(<Explorer />, root)
