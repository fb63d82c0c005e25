import { isDeepStrictEqual } from 'node:util'
import type { Client, TokenInfo } from '@hailstone/client'
import {
  type Address,
  apiError,
  type Hash,
  NodeError,
  type TokenId,
  tokenEndpoint,
} from '@hailstone/protocol'
import type { Kysely } from 'kysely'
import { moveHolding } from './apply/move-holding.ts'
import type { TokenRules } from './facts.ts'
import { learnOpening, type Opening, type OpeningMemory } from './learn-opening.ts'
import { RowSet } from './row-set.ts'
import type { Schema } from './schema.ts'
import { storableText } from './storable-text.ts'
import { tablesEmpty } from './store/cursor.ts'
import { addRows } from './store/write-rows.ts'

export type BeginParameters = {
  readonly tokenIds: readonly TokenId[]
  readonly apiUrl: string
  readonly signal?: AbortSignal | undefined
  /** True for tables in which an index was found before: empty ones may be about to be restored. @default false */
  readonly mustBeBegun?: boolean | undefined
  readonly memory?: OpeningMemory | undefined
}

type Begun = {
  readonly info: TokenInfo
  /** −1 for a token that was there at the origin. */
  readonly createdHeight: number
}

/**
 * Begins an index: the network, its tokens, and what they held before the first block. An index that was begun before is
 * checked instead: it has to be of this network and these tokens.
 *
 * @throws {NodeError} `CONFIGURATION_INVALID`, `TOKEN_UNKNOWN`, `NETWORK_MISMATCH`, and what the look-ups throw
 */
export async function beginIndex(
  queries: Kysely<Schema>,
  client: Client,
  parameters: BeginParameters,
): Promise<void> {
  const { apiUrl, signal, tokenIds, mustBeBegun = false, memory } = parameters
  const doubled = tokenIds.find((tokenId, at) => tokenIds.indexOf(tokenId) !== at)
  if (doubled !== undefined)
    throw new NodeError('CONFIGURATION_INVALID', {
      path: 'tokenIds',
      expected: 'tokens that are each named once',
      found: `${doubled.slice(0, 8)}… twice`,
    })
  const originHash = await originHashOf(client, signal)
  const network = await queries.selectFrom('network').selectAll().executeTakeFirst()
  if (network !== undefined) {
    if (network.origin_hash !== originHash)
      throw apiError('NETWORK_MISMATCH', { expected: network.origin_hash, received: originHash })
    return assertTokens(queries, parameters.tokenIds)
  }
  if (mustBeBegun) throw tablesEmpty()
  const nativeTokenId = await client.getNativeTokenId({ signal })
  const found = await Promise.all(
    parameters.tokenIds.map((tokenId) => findToken(client, { tokenId, nativeTokenId, signal })),
  )
  const begun = found.map((token, at) => ({ ...token, rules: rulesOf(token.info, at + 1) }))
  const openings = new Map<number, Opening>()
  for (const { rules, createdHeight } of begun)
    if (createdHeight < 0) openings.set(rules.id, await learnOpening(client, rules, { signal, memory }))
  await queries.transaction().execute(async (transaction) => {
    await transaction
      .insertInto('network')
      .values({
        ...{ id: 1, api_url: apiUrl, origin_hash: originHash, native_token_id: nativeTokenId },
        stake_changes_from: 0,
      })
      .execute()
    await writeTokens(transaction, begun, openings)
    await transaction.insertInto('cursor').values(firstCursor(begun)).execute()
  })
}

/** Heights below the creation of a token that are walked too: another branch may have the creation there. */
const BELOW_CREATION = 100

/** The walk begins below the creation of the oldest token. */
function firstCursor(begun: readonly Begun[]): Schema['cursor'] {
  const first = Math.max(0, Math.min(...begun.map(({ createdHeight }) => createdHeight)) - BELOW_CREATION)
  return {
    ...{
      id: 1,
      height: first - 1,
      hash: '',
      next_hash: '',
      holder: null,
      beat: 0n,
      api_height: -1,
      undo_from: first,
    },
    ...{ status: 'walking', note: null, seen_at: new Date(0) },
  }
}

async function assertTokens(queries: Kysely<Schema>, tokenIds: readonly TokenId[]): Promise<void> {
  const rows = await queries.selectFrom('token').select('token_id').execute()
  const missing = tokenIds.find((tokenId) => !rows.some((row) => row.token_id === tokenId))
  if (missing === undefined) return
  throw new NodeError('CONFIGURATION_INVALID', {
    path: 'tokenIds',
    expected: `tokens that this index was begun with (${rows.map((row) => row.token_id).join(', ')}); a further one needs an index that is begun anew`,
    found: `another one, ${missing.slice(0, 8)}…`,
  })
}

async function originHashOf(client: Client, signal: AbortSignal | undefined): Promise<Hash> {
  const origin = await client.getMacroblock({ height: 0, signal })
  if (origin === undefined) throw apiError('HEIGHT_UNAVAILABLE', { height: 0 })
  return origin.keyBlock.hash
}

async function findToken(
  client: Client,
  of: {
    readonly tokenId: TokenId
    readonly nativeTokenId: TokenId
    readonly signal?: AbortSignal | undefined
  },
): Promise<Begun> {
  const { tokenId, nativeTokenId, signal } = of
  if (tokenId === nativeTokenId) {
    const expected = 'a token other than the native one of the network, whose ledger is not kept here'
    throw new NodeError('CONFIGURATION_INVALID', { path: 'tokenIds', expected, found: 'the native one' })
  }
  const info = await client.getToken({ tokenId, signal })
  if (info === undefined) throw apiError('TOKEN_UNKNOWN', { tokenId })
  // Everything is counted by it: one answer is not enough.
  const again = await client.getToken({ tokenId, signal })
  if (again === undefined || !isDeepStrictEqual(lastingOf(info), lastingOf(again)))
    throw apiError('RESPONSE_INVALID', { path: tokenEndpoint.path, reason: 'two answers differ' })
  // A token has the name of the transaction that created it.
  const created = await client.getTransaction({ hash: tokenId as string as Hash, signal })
  if (created === undefined || created.keyBlockHash === null) return { info, createdHeight: -1 }
  const height = await client.getKeyBlockHeight({ hash: created.keyBlockHash, signal })
  if (height === undefined) return { info, createdHeight: -1 }
  const block = await client.getMacroblock({ height, signal })
  if (block?.keyBlock.hash !== created.keyBlockHash) throw apiError('HEIGHT_UNAVAILABLE', { height })
  return { info, createdHeight: height }
}

/** Returns what an index keeps of a token, which never changes. Nodes differ in prices and counts. */
const lastingOf = (info: TokenInfo) => [rulesOf(info, 0), info.symbol, info.decimals, info.caption]

function rulesOf(info: TokenInfo, id: number): TokenRules {
  const { maxSupply, blockReward, minimumStake, referrerStake, referralShareBps } = info
  const isMined = info.isMineable && maxSupply !== null && blockReward !== null
  return {
    id,
    tokenId: info.id,
    owner: info.owner,
    feeType: info.feeType,
    feeValue: info.feeValue,
    feeMinimum: info.feeMinimum ?? 0n,
    mining: isMined
      ? {
          ...{ maxSupply, blockReward, minimumStake: minimumStake ?? 0n },
          ...{ referrerStake: referrerStake ?? 0n, referralShareBps: referralShareBps ?? 0 },
        }
      : null,
  }
}

type Beginning = Begun & { readonly rules: TokenRules }

async function writeTokens(
  queries: Kysely<Schema>,
  begun: readonly Beginning[],
  openings: ReadonlyMap<number, Opening>,
): Promise<void> {
  const numbers = new Map<Address, number>()
  const accountOf = (address: Address): number => {
    const number = numbers.get(address) ?? numbers.size + 1
    numbers.set(address, number)
    return number
  }
  const rows = new RowSet()
  for (const name of ['holding', 'miner', 'stake_band'] as const) rows.load(name, [], 'all')
  const tokens = new Map(begun.map(({ rules }) => [rules.id, rules]))
  const tokenRows = begun.map(({ rules, info, createdHeight }) => ({
    ...{ id: rules.id, token_id: rules.tokenId, owner: accountOf(rules.owner) },
    ...{ symbol: info.symbol, decimals: info.decimals },
    caption: info.caption === null ? null : storableText(info.caption),
    ...{ fee_type: rules.feeType, fee_value: rules.feeValue, fee_minimum: rules.feeMinimum },
    max_supply: rules.mining?.maxSupply ?? null,
    block_reward: rules.mining?.blockReward ?? null,
    minimum_stake: rules.mining?.minimumStake ?? null,
    referrer_stake: rules.mining?.referrerStake ?? null,
    referral_share_bps: rules.mining?.referralShareBps ?? null,
    created_height: createdHeight,
    // The creating transaction adds the first supply of a token that has one.
    total_supply: openings.get(rules.id)?.supply ?? 0n,
  }))
  for (const [token, { balances }] of openings)
    for (const [address, amount] of balances) moveHolding({ rows, tokens }, token, accountOf(address), amount)
  const accounts = [...numbers].map(([address, id]) => ({ id, address, height: -1 }))
  await addRows(queries, 'account', accounts)
  await addRows(queries, 'token', tokenRows)
  await addRows(queries, 'holding', rows.changed('holding'))
  await addRows(queries, 'stake_band', rows.changed('stake_band'))
}

/** Reads the rules of the tokens of an index. */
export async function readRules(queries: Kysely<Schema>): Promise<readonly TokenRules[]> {
  const rows = await queries
    .selectFrom('token')
    .innerJoin('account', 'account.id', 'token.owner')
    .selectAll('token')
    .select('account.address')
    .orderBy('token.id')
    .execute()
  return rows.map((row) => ({
    id: row.id,
    tokenId: row.token_id as TokenId,
    owner: row.address as Address,
    feeType: row.fee_type as TokenRules['feeType'],
    feeValue: row.fee_value,
    feeMinimum: row.fee_minimum,
    mining:
      row.max_supply === null
        ? null
        : {
            maxSupply: row.max_supply,
            blockReward: row.block_reward ?? 0n,
            minimumStake: row.minimum_stake ?? 0n,
            referrerStake: row.referrer_stake ?? 0n,
            referralShareBps: row.referral_share_bps ?? 0,
          },
  }))
}
