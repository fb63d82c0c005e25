import { type Amount, type SearchResult, searchEndpoint, type TokenId } from '@hailstone/protocol'
import type { ChainStore } from '../../store/index.ts'
import type { ApiParts } from '../api-parts.ts'
import { type Route, route } from '../route.ts'
import { currentStakes } from './stakes.ts'
import { tokenAnswer } from './tokens.ts'
import { copyAnswer, tokenOf } from './transactions.ts'

async function transactions(store: ChainStore, text: string): Promise<readonly SearchResult[]> {
  const copies = await store.transactionCopies(text)
  const [first] = copies
  if (first === undefined) return []
  const token = await tokenOf(store, first)
  return [{ kind: 'tx', found: copies.map((copy) => copyAnswer(copy, token)) }]
}

async function account(store: ChainStore, text: string): Promise<readonly SearchResult[]> {
  const held = await store.holdings(text)
  const balances = held.map(({ amount, token }) => ({
    account: text.toLowerCase(),
    amount: amount as Amount,
    tokenId: token.id as TokenId,
  }))
  return balances.length === 0 ? [] : [{ kind: 'account', found: { balances } }]
}

/** The local leader signs nothing; only calculated microblocks are stored, and no indexer marks them. */
const calculated = { leaderSignature: null, isIncluded: true, isCalculated: true, isIndexed: false }

async function blocks(store: ChainStore, text: string): Promise<readonly SearchResult[]> {
  const keyBlock = await store.keyBlock(text)
  const microblock = await store.microblock(text)
  const header = await store.statBlock(text)
  return [
    ...(keyBlock === undefined ? [] : [{ kind: 'kblock' as const, found: [keyBlock] }]),
    ...(microblock === undefined
      ? []
      : [{ kind: 'mblock' as const, found: [{ ...microblock, ...calculated }] }]),
    ...(header === undefined ? [] : [{ kind: 'sblock' as const, found: { header } }]),
  ]
}

async function token(store: ChainStore, text: string): Promise<readonly SearchResult[]> {
  const found = await store.token(text)
  return found === undefined ? [] : [{ kind: 'token', found: [tokenAnswer(found)] }]
}

async function stakePool(parts: ApiParts, text: string): Promise<readonly SearchResult[]> {
  const { pools } = await currentStakes(parts)
  const pool = pools.find(({ id }) => id === text.toLowerCase())
  return pool === undefined ? [] : [{ kind: 'pos', found: [pool] }]
}

/** A transaction hides accounts and blocks; tokens and pools are looked for always, as on the public server. */
async function search(parts: ApiParts, text: string): Promise<readonly SearchResult[]> {
  const { store } = parts
  if (text === '') return []
  const found = await transactions(store, text)
  const others = found.length > 0 ? [] : [...(await account(store, text)), ...(await blocks(store, text))]
  return [...found, ...others, ...(await token(store, text)), ...(await stakePool(parts, text))]
}

export const searchRoutes = (parts: ApiParts): readonly Route[] => [
  route(searchEndpoint, ({ text = '' }) => search(parts, text)),
]
