import { randomInt } from 'node:crypto'
import type { Client } from '@hailstone/client'
import type { Address, Hash, TokenId } from '@hailstone/protocol'
import { sql } from 'kysely'
import type { Index } from './open-index.ts'
import { readHolders } from './read-holders.ts'
import { readCursor } from './store/cursor.ts'
import { keptDifferences } from './store/kept-differences.ts'

/** A figure of the index that is not the one it should be. Amounts are units; null where there is no row. */
export type Difference = {
  readonly tokenId: TokenId
  /** The account, or null for a figure of the whole token. */
  readonly address: Address | null
  /** Name of the figure. */
  readonly subject: string
  /** Value of the API, or of the rows that a kept figure sums. */
  readonly expected: bigint | null
  /** Value of the index. */
  readonly found: bigint | null
}

export type CheckIndexParameters = {
  readonly index: Pick<Index, 'queries'>
  readonly client: Client
  /** Called before each round; brings the index up to the API, or waits for the process that does. */
  readonly catchUp: () => Promise<unknown>
  /** Number of accounts to compare, drawn at random. @default all */
  readonly sample?: number | undefined
  readonly signal?: AbortSignal | undefined
}

export type IndexReport = {
  readonly height: number
  /** Accounts that were compared, each in every token of the index. */
  readonly accounts: number
  /** Rewards that were compared, one by one. */
  readonly rewards: number
  readonly differences: readonly Difference[]
  /** False if the chain moved in every round: a difference may then be a change that one side had first. */
  readonly isStill: boolean
}

/** Rounds in which the chain may move; each one asks only for what differed in the one before. */
const ROUNDS = 10
/** GETs at a time. */
const CONCURRENCY = 8

type Token = { readonly id: number; readonly tokenId: TokenId; readonly symbol: string }

/**
 * Compares an index with the API that it was read from: each balance with `/balance`, each reward with
 * `/account_rewards`, the supply with `/token_info`, and the figures of miners, agents and days with the rewards and microblocks
 * that they count. Writes nothing itself. An account that differs while the chain moves is compared again.
 *
 * @throws {NodeError} what the look-ups throw
 */
export async function checkIndex(parameters: CheckIndexParameters): Promise<IndexReport> {
  const { index, client, catchUp, sample, signal } = parameters
  await catchUp()
  const tokens = await readTokens(index)
  let left = await accountsOf(parameters, tokens)
  if (sample !== undefined) left = drawn(left, sample)
  const accounts = left.length
  let rewards = 0
  for (let round = 1; ; round++) {
    const before = await readCursor(index.queries)
    const differences: Difference[] = []
    for (let at = 0; at < left.length; at += CONCURRENCY) {
      signal?.throwIfAborted()
      const part = left.slice(at, at + CONCURRENCY)
      for (const found of await Promise.all(part.map((address) => compare(parameters, tokens, address)))) {
        if (round === 1) rewards += found.rewards
        differences.push(...found.differences)
      }
    }
    for (const token of tokens) differences.push(...(await compareToken(parameters, token)))
    const after = await readCursor(index.queries)
    const above = await client.getMacroblock({ height: after.height + 1, signal })
    const isStill =
      before.next_hash === after.next_hash &&
      above?.keyBlock.hash === after.next_hash &&
      (await client.getHeight({ signal })) - 1 === after.height
    if (differences.length === 0 || isStill || round === ROUNDS)
      return { height: after.height, accounts, rewards, differences, isStill }
    left = [...new Set(differences.flatMap(({ address }) => address ?? []))]
    await catchUp()
  }
}

async function readTokens({ queries }: Pick<Index, 'queries'>): Promise<readonly Token[]> {
  const rows = await queries.selectFrom('token').select(['id', 'token_id', 'symbol']).orderBy('id').execute()
  return rows.map(({ id, token_id, symbol }) => ({ id, tokenId: token_id as TokenId, symbol }))
}

/** Accounts that the index knows, and those that the API lists as holders. */
async function accountsOf(
  { index, client, signal }: CheckIndexParameters,
  tokens: readonly Token[],
): Promise<readonly Address[]> {
  const rows = await index.queries.selectFrom('account').select('address').orderBy('id').execute()
  const accounts = new Set(rows.map(({ address }) => address as Address))
  for (const { tokenId } of tokens)
    for (const address of (await readHolders(client, { tokenId, signal })).keys()) accounts.add(address)
  return [...accounts]
}

function drawn(accounts: readonly Address[], count: number): readonly Address[] {
  const left = [...accounts]
  const taken: Address[] = []
  while (taken.length < count && left.length > 0) taken.push(...left.splice(randomInt(left.length), 1))
  return taken
}

type Compared = { readonly rewards: number; readonly differences: readonly Difference[] }

async function compare(
  parameters: CheckIndexParameters,
  tokens: readonly Token[],
  address: Address,
): Promise<Compared> {
  const differences: Difference[] = []
  for (const token of tokens) differences.push(...(await compareBalance(parameters, token, address)))
  const paid = await compareRewards(parameters, tokens, address)
  return { rewards: paid.rewards, differences: [...differences, ...paid.differences] }
}

async function compareBalance(
  { index, client, signal }: CheckIndexParameters,
  { id, tokenId }: Token,
  address: Address,
): Promise<readonly Difference[]> {
  const row = await index.queries
    .selectFrom('holding')
    .innerJoin('account', 'account.id', 'holding.account')
    .select('amount')
    .where('token', '=', id)
    .where('address', '=', address)
    .executeTakeFirst()
  const { amount, isKnown } = await client.getBalance({ address, tokenId, signal })
  const [expected, found] = [isKnown ? (amount as bigint) : null, row?.amount ?? null]
  return expected === found ? [] : [{ tokenId, address, subject: 'balance', expected, found }]
}

type RewardRow = {
  readonly token: number
  readonly hash: string
  readonly type: 'im' | 'iref'
  readonly amount: bigint
}

/** Compares the rewards of an account one by one. The order of records within a microblock does not matter. */
async function compareRewards(
  { index, client, signal }: CheckIndexParameters,
  tokens: readonly Token[],
  address: Address,
): Promise<Compared> {
  const { rows } = await sql<RewardRow>`
    select reward.token, microblock.hash, case reward.kind when 1 then 'im' else 'iref' end as type, reward.amount
    from reward
    join microblock on microblock.height = reward.height and microblock.ordinal = reward.microblock
    where reward.kind <> 5 and reward.account = (select id from account where address = ${address})`.execute(
    index.queries,
  )
  const tokenOf = new Map(rows.map(({ hash, token }) => [hash, token]))
  const left = new Map<string, RewardRow[]>()
  for (const row of rows) {
    const id = `${row.hash} ${row.type} ${row.amount}`
    left.set(id, [...(left.get(id) ?? []), row])
  }
  const differences: Difference[] = []
  for await (const { hash, recordType, amount, symbol } of client.rewardsOf({ address, signal })) {
    if (recordType !== 'im' && recordType !== 'iref') continue
    if (left.get(`${hash} ${recordType} ${amount}`)?.pop() !== undefined) continue
    const known = tokens.find(({ id }) => id === tokenOf.get(hash))
    const token = known ?? (await tokenOfMicroblock(client, { tokens, symbol, hash, signal }))
    if (token === undefined) continue
    const subject = `reward ${recordType} of microblock ${hash}`
    differences.push({ tokenId: token.tokenId, address, subject, expected: amount, found: null })
  }
  for (const { token, hash, type, amount } of [...left.values()].flat()) {
    const tokenId = tokens.find(({ id }) => id === token)?.tokenId as TokenId
    // The chain may have no record where nothing is paid.
    if (amount === 0n) continue
    const subject = `reward ${type} of microblock ${hash}`
    differences.push({ tokenId, address, subject, expected: null, found: amount })
  }
  return { rewards: rows.length, differences }
}

/** The indexed token of a microblock that the index does not have; a symbol alone does not say which token it is. */
async function tokenOfMicroblock(
  client: Client,
  of: {
    readonly tokens: readonly Token[]
    readonly symbol: string | null
    readonly hash: Hash
    readonly signal?: AbortSignal | undefined
  },
): Promise<Token | undefined> {
  if (!of.tokens.some(({ symbol }) => symbol === of.symbol)) return undefined
  const header = await client.getMicroblockHeader({ hash: of.hash, signal: of.signal })
  return of.tokens.find(({ tokenId }) => tokenId === header?.tokenId)
}

async function compareToken(
  { index, client, signal }: CheckIndexParameters,
  token: Token,
): Promise<readonly Difference[]> {
  const { tokenId } = token
  const kept = await keptDifferences(index.queries, token.id)
  const differences = kept.map(({ address, subject, expected, found }): Difference => {
    const unitsOf = (text: string | null): bigint | null => (text === null ? null : BigInt(text))
    const values = { expected: unitsOf(expected), found: unitsOf(found) }
    return { ...{ tokenId, subject, address: address as Address | null }, ...values }
  })
  const { total_supply: found } = await index.queries
    .selectFrom('token')
    .select('total_supply')
    .where('id', '=', token.id)
    .executeTakeFirstOrThrow()
  const expected = (await client.getToken({ tokenId, signal }))?.totalSupply ?? null
  if (expected !== found) differences.push({ tokenId, address: null, subject: 'supply', expected, found })
  return differences
}
