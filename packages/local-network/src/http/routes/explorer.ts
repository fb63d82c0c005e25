import {
  type Address,
  type Amount,
  type ConfirmedTransactions,
  confirmedTransactionsEndpoint,
  holderCountEndpoint,
  keyBlockPageEndpoint,
  type ListedToken,
  type OwnToken,
  richestAccountsEndpoint,
  type TokenId,
  tokenCountEndpoint,
  tokenPageEndpoint,
  tokensOfOwnerEndpoint,
} from '@hailstone/protocol'
import { freeSlots } from '../../chain/selection.ts'
import type { CountedToken } from '../../store/index.ts'
import type { ApiParts } from '../api-parts.ts'
import { historyPage, PAGE_SIZE } from '../history-page.ts'
import { leadingNumber } from '../numbers.ts'
import { LIST_SIZE, pageCount, pageOrFirst } from '../page-number.ts'
import { type Route, route } from '../route.ts'
import { unpriced } from './tokens.ts'

/** Heights count the calculated key blocks: the open one is the newest and not among them. */
async function keyBlockPage({ store }: ApiParts, page: number) {
  const { height: total } = await store.tail()
  const { from, to } = historyPage({ total, page })
  return {
    pageCount: pageCount(total, PAGE_SIZE),
    keyBlocks: to < from ? [] : await store.keyBlocksBetween({ from, to }),
  }
}

const NOT_FOUND: ConfirmedTransactions = {
  error: { code: 1, message: 'block not found' },
  data: { transactions: [] },
}

/** As on the public server, a macroblock without microblocks is not found; the open one has none. */
async function confirmedTransactions({ store }: ApiParts, text: string): Promise<ConfirmedTransactions> {
  const { height: open } = await store.tail()
  const height = leadingNumber(text)
  if (!Number.isInteger(height) || height < 0 || height >= open) return NOT_FOUND
  if ((await store.microblocksOf(height)).length === 0) return NOT_FOUND
  const transactions = await store.confirmedTransactionsAt(height)
  return { error: { code: 0, message: 'successfully' }, data: { transactions } }
}

async function richestAccounts({ store, network }: ApiParts, tokenId: string, page: number) {
  const withDelegated = tokenId.toLowerCase() === network.ledger.nativeTokenId
  const offset = page * LIST_SIZE
  const accounts = await store.richestAccounts({ tokenId, offset, limit: LIST_SIZE, withDelegated })
  const { count, units: total } = await store.holders(tokenId)
  return {
    accounts: accounts.map(({ account, units }) => ({
      account,
      amount: units as Amount,
      tokenId: tokenId.toLowerCase() as TokenId,
      percentage: total === 0n ? 0 : (Number(units) * 100) / Number(total),
    })),
    pageCount: pageCount(count),
  }
}

const ownToken = (token: CountedToken): OwnToken => ({
  id: token.id,
  totalSupply: token.totalSupply,
  feeType: token.feeType,
  feeValue: token.feeValue,
  feeMinimum: token.feeMinimum,
  isReissuable: token.isReissuable,
  isMineable: token.mining !== null,
})

const kinds: Readonly<Record<string, (token: CountedToken) => boolean>> = {
  minable: ({ mining }) => mining !== null,
  reissuable: ({ isReissuable }) => isReissuable,
  non_reissuable: ({ mining, isReissuable }) => mining === null && !isReissuable,
}

const isOfKind = (kind: string | undefined): ((token: CountedToken) => boolean) =>
  kind !== undefined && Object.hasOwn(kinds, kind) ? (kinds[kind] ?? (() => true)) : () => true

/** Owners that have a place for microblocks in a macroblock (PROTOCOL 5.7). */
async function slotOwners({ store, network }: ApiParts, tokens: readonly CountedToken[]) {
  const owners = [...new Set(tokens.map(({ owner }) => owner))]
  const balances = await store.balancesIn(network.ledger.nativeTokenId, owners)
  const slots = freeSlots({
    slots: network.microblockSlots,
    tokens,
    nativeBalance: (owner) => balances.get(owner) ?? 0n,
    mined: [],
  })
  return new Set(slots.map(({ owner }) => owner))
}

async function tokenPage(parts: ApiParts, page: number, kind: string | undefined) {
  const all = await parts.store.tokens()
  const holders = await parts.store.holderCounts()
  const owners = await slotOwners(parts, all)
  const holderCount = ({ id }: CountedToken): number => holders.get(id) ?? 0
  const tokens = all
    .filter(isOfKind(kind))
    .sort((a, b) => holderCount(b) - holderCount(a) || (a.id < b.id ? -1 : 1))
  const listed = (token: CountedToken): ListedToken => ({
    ...ownToken(token),
    decimals: token.decimals,
    holderCount: holderCount(token),
    transferCount: token.transferCount,
    hasSlot: token.mining !== null && owners.has(token.owner),
    ...unpriced,
  })
  return {
    tokens: tokens.slice(page * LIST_SIZE, (page + 1) * LIST_SIZE).map(listed),
    pageSize: LIST_SIZE,
    pageCount: pageCount(tokens.length),
  }
}

async function tokensOf({ store }: ApiParts, owner: string): Promise<readonly OwnToken[]> {
  const address = owner.toLowerCase() as Address
  const tokens = (await store.tokens()).filter((token) => token.owner === address)
  return tokens.map(ownToken).sort((a, b) => (a.id < b.id ? 1 : -1))
}

async function tokenCounts({ store }: ApiParts) {
  const tokens = await store.tokens()
  const countOf = (kind: string): number => tokens.filter(isOfKind(kind)).length
  return {
    count: tokens.length,
    fixed: countOf('non_reissuable'),
    reissuable: countOf('reissuable'),
    mineable: countOf('minable'),
  }
}

export const explorerRoutes = (parts: ApiParts): readonly Route[] => [
  route(keyBlockPageEndpoint, ({ page }) => keyBlockPage(parts, pageOrFirst(page, 'n'))),
  route(confirmedTransactionsEndpoint, ({ height = '' }) => confirmedTransactions(parts, height)),
  route(holderCountEndpoint, async ({ tokenId = '' }) => ({
    count: tokenId === '' ? await parts.store.accountCount() : (await parts.store.holders(tokenId)).count,
  })),
  route(richestAccountsEndpoint, ({ page, tokenId }) =>
    richestAccounts(parts, tokenId || parts.network.ledger.nativeTokenId, pageOrFirst(page, 'page')),
  ),
  route(tokenPageEndpoint, ({ page, kind }) => tokenPage(parts, pageOrFirst(page, 'page'), kind)),
  route(tokensOfOwnerEndpoint, ({ owner = '' }) => tokensOf(parts, owner)),
  route(tokenCountEndpoint, () => tokenCounts(parts)),
]
