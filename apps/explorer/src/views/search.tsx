import { type SearchResult, searchEndpoint, type TokenName, tokenNamesEndpoint } from '@hailstone/protocol'
import type { JSX } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { ask } from '../ask.ts'
import { placeOf, Short } from '../parts.tsx'

/** Returns the page of a result; undefined for kinds that have no page of their own. */
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

const TIMEOUT_MS = 5_000

/** A whole name is the one that is meant, then one that begins so, then one that has it anywhere. */
function rankOf({ symbol, caption }: TokenName, text: string): number {
  const [name, title, wanted] = [symbol, caption ?? '', text].map((one) => one.toLowerCase())
  if (name === undefined || title === undefined || wanted === undefined) return 0
  if (name === wanted) return 4
  if (name.startsWith(wanted)) return 3
  return name.includes(wanted) ? 2 : title.includes(wanted) ? 1 : 0
}

/** Tokens by a part of their symbol or their name, in either case, the best first. Symbols are not unique. */
async function tokensNamed(text: string): Promise<readonly TokenName[]> {
  const names = (await ask(tokenNamesEndpoint, {}, AbortSignal.timeout(TIMEOUT_MS))) ?? []
  return names
    .map((token) => ({ token, rank: rankOf(token, text) }))
    .filter(({ rank }) => rank > 0)
    .sort((a, b) => b.rank - a.rank || (a.token.symbol < b.token.symbol ? -1 : 1))
    .slice(0, MAX_TOKENS)
    .map(({ token }) => token)
}

/** More of them are better found with another letter. */
const MAX_TOKENS = 10

type Finding = { readonly place?: string | undefined; readonly tokens: readonly TokenName[] }

async function find(text: string): Promise<Finding> {
  if (/^\d{1,15}$/.test(text)) return { place: placeOf.height(Number(text)), tokens: [] }
  const results = (await ask(searchEndpoint, { text }, AbortSignal.timeout(TIMEOUT_MS))) ?? []
  const place = results.map(placeOfResult).find((one) => one !== undefined)
  if (place !== undefined) return { place, tokens: [] }
  const tokens = await tokensNamed(text)
  const [only, another] = tokens
  // One token, or one that is called exactly so, is what was meant.
  const isClear = only !== undefined && (another === undefined || rankOf(only, text) > rankOf(another, text))
  return isClear && (another === undefined || rankOf(only, text) === 4)
    ? { place: placeOf.token(only.id), tokens: [] }
    : { tokens }
}

const Tokens = ({ tokens }: { readonly tokens: readonly TokenName[] }): JSX.Element | null =>
  tokens.length === 0 ? null : (
    <ul>
      {tokens.map(({ id, symbol, caption }) => (
        <li key={id}>
          <a href={placeOf.token(id)}>{symbol}</a> {caption} <Short text={id} />
        </li>
      ))}
    </ul>
  )

export function Search(): JSX.Element {
  const [text, setText] = useState('')
  const [answer, setAnswer] = useState('')
  const [tokens, setTokens] = useState<readonly TokenName[]>([])
  const say = (sentence: string, found: readonly TokenName[] = []): void => {
    setAnswer(sentence)
    setTokens(found)
  }
  // Whoever went to one of them is done with searching.
  useEffect(() => {
    const moved = (): void => say('')
    addEventListener('hashchange', moved)
    return () => removeEventListener('hashchange', moved)
  }, [])
  const look = async (event: Event): Promise<void> => {
    event.preventDefault()
    const wanted = text.trim()
    if (wanted === '') return
    say('Looking …')
    try {
      const found = await find(wanted)
      if (found.place !== undefined) {
        say('')
        location.hash = found.place
      } else if (found.tokens.length > 0)
        say(`${found.tokens.length} tokens have that in their name:`, found.tokens)
      else say('The network knows nothing of that name.')
    } catch {
      say('The node does not answer.')
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
            say('')
          }}
        />
        <button type="submit">Find</button>
      </form>
      <p role="status">{answer}</p>
      <Tokens tokens={tokens} />
    </search>
  )
}
