import {
  decodeReferralCode,
  isNodeError,
  type SearchResult,
  searchEndpoint,
  type TokenName,
  tokenNamesEndpoint,
} from '@hailstone/protocol'
import type { JSX } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { ask } from '../ask.ts'
import { type Candidate, findShortened, isShortened } from '../find-shortened.ts'
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

/** A sentence with the tokens or the pages to choose from. */
type Answer = {
  readonly sentence: string
  readonly tokens?: readonly TokenName[]
  readonly candidates?: readonly Candidate[]
}

/** The one place that was meant, or an answer. */
type Finding = { readonly place: string } | Answer

const UNKNOWN = 'The network knows nothing of that name.'
const SHORTEST_HASH_PART = 8

/** Says of a part of a hash what would be found. */
function sentenceOfUnknown(text: string): string {
  const isPart = /^(?:0x)?[\da-f]+$/i.test(text) && text.length >= SHORTEST_HASH_PART
  if (!isPart || text.length === 64 || text.length === 66) return UNKNOWN
  return `${UNKNOWN} A hash has 64 hex digits, an address 66; one that is shortened, such as 0a1b2c…9f8e, has dots in the middle.`
}

async function findPart(text: string): Promise<Finding> {
  const candidates = await findShortened(text, AbortSignal.timeout(TIMEOUT_MS))
  const [only, another] = candidates
  if (only === undefined)
    return {
      sentence:
        'Nothing that begins and ends so is among the newest blocks and transactions, the miners, the largest accounts and the tokens. Paste all of its digits.',
    }
  if (another === undefined) return { place: only.place }
  return { sentence: `${candidates.length} begin and end so:`, candidates }
}

/** A code that cannot be read is refused with what is wrong about it. */
function ofReferralCode(code: string): Finding {
  try {
    return { place: placeOf.account(decodeReferralCode(code)) }
  } catch (error) {
    if (isNodeError(error)) return { sentence: error.message }
    throw error
  }
}

async function find(text: string): Promise<Finding> {
  if (/^\d{1,15}$/.test(text)) return { place: placeOf.height(Number(text)) }
  if (isShortened(text)) return findPart(text)
  if (text.startsWith('ref_')) return ofReferralCode(text)
  const results = (await ask(searchEndpoint, { text }, AbortSignal.timeout(TIMEOUT_MS))) ?? []
  const place = results.map(placeOfResult).find((one) => one !== undefined)
  if (place !== undefined) return { place }
  const tokens = await tokensNamed(text)
  const [only, another] = tokens
  // One token, or one that is called exactly so, is what was meant.
  const isClear = only !== undefined && (another === undefined || rankOf(only, text) > rankOf(another, text))
  if (isClear && (another === undefined || rankOf(only, text) === 4)) return { place: placeOf.token(only.id) }
  if (only === undefined) return { sentence: sentenceOfUnknown(text) }
  return { sentence: `${tokens.length} tokens have that in their name:`, tokens }
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

/** Candidates with the kind of their page, which is the second part of its place. */
const Candidates = ({ of }: { readonly of: readonly Candidate[] }): JSX.Element | null =>
  of.length === 0 ? null : (
    <ul>
      {of.map(({ text, place }) => (
        <li key={place}>
          {place.split('/')[1]} <Short text={text} to={place} />
        </li>
      ))}
    </ul>
  )

const SILENT: Answer = { sentence: '' }

export function Search(): JSX.Element {
  const [text, setText] = useState('')
  const [answer, setAnswer] = useState(SILENT)
  // Whoever went to one of them is done with searching.
  useEffect(() => {
    const moved = (): void => setAnswer(SILENT)
    addEventListener('hashchange', moved)
    return () => removeEventListener('hashchange', moved)
  }, [])
  const look = async (event: Event): Promise<void> => {
    event.preventDefault()
    const wanted = text.trim()
    if (wanted === '') return
    setAnswer({ sentence: 'Looking …' })
    try {
      const found = await find(wanted)
      if ('place' in found) {
        setAnswer(SILENT)
        location.hash = found.place
      } else setAnswer(found)
    } catch {
      setAnswer({ sentence: 'The node does not answer.' })
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
            setAnswer(SILENT)
          }}
        />
        <button type="submit">Find</button>
      </form>
      <p role="status">{answer.sentence}</p>
      <Tokens tokens={answer.tokens ?? []} />
      <Candidates of={answer.candidates ?? []} />
    </search>
  )
}
