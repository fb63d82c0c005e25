import { type SearchResult, searchEndpoint } from '@hailstone/protocol'
import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import { ask } from '../ask.ts'
import { placeOf } from '../parts.tsx'

/** Where a finding is shown; undefined for kinds that have no page of their own. */
function placeOfResult(result: SearchResult): string | undefined {
  switch (result.kind) {
    case 'tx':
      return placeOf.transaction(result.found[0]?.hash ?? '')
    case 'account':
      return placeOf.account(result.found.balances[0]?.account ?? '')
    case 'kblock':
      return placeOf.height(result.found[0]?.height ?? 0)
    case 'mblock':
      return placeOf.microblock(result.found[0]?.hash ?? '')
    case 'token':
      return placeOf.token(result.found[0]?.id ?? '')
    default:
      return undefined
  }
}

const PATIENCE_MS = 5_000

async function find(text: string): Promise<string | undefined> {
  if (/^\d{1,15}$/.test(text)) return placeOf.height(Number(text))
  const results = (await ask(searchEndpoint, { text }, AbortSignal.timeout(PATIENCE_MS))) ?? []
  return results.map(placeOfResult).find((place) => place !== undefined)
}

export function Search(): JSX.Element {
  const [text, setText] = useState('')
  const [answer, setAnswer] = useState('')
  const look = async (event: Event): Promise<void> => {
    event.preventDefault()
    const wanted = text.trim()
    if (wanted === '') return
    setAnswer('Looking …')
    try {
      const place = await find(wanted)
      setAnswer(place === undefined ? 'The network knows nothing of that name.' : '')
      if (place !== undefined) location.hash = place
    } catch {
      setAnswer('The node does not answer.')
    }
  }
  return (
    <search>
      <form onSubmit={look}>
        <input
          type="search"
          aria-label="Height, hash, address or token"
          placeholder="Height, hash, address or token"
          value={text}
          onInput={({ currentTarget }) => {
            setText(currentTarget.value)
            setAnswer('')
          }}
        />
        <button type="submit">Find</button>
      </form>
      <p role="status">{answer}</p>
    </search>
  )
}
