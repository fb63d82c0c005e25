import {
  type Address,
  type Amount,
  MAX_AMOUNT,
  rewardPools,
  type Token,
  tokenMiningPool,
} from '@hailstone/protocol'
import type { ApiParts } from './api-parts.ts'
import { PUBLIC_BLOCKS_PER_DAY } from './one-day.ts'

/** The public operator lists native stakes of 25 to 25,000 coins: these multiples of the least stake (PROTOCOL 9.1). */
const MIN_STAKES = [1n, 5n, 10n, 50n, 100n, 500n, 1000n]

/** A miner counts as active while online and for so many blocks after its last microblock. */
const ACTIVE_BLOCKS = 20

/** A stake, and the same with the expected reward of one day on top; units of the token. */
export type ExpectedReturn = { readonly stake: Amount; readonly stakeAfterOneDay: Amount }

async function activeMiners({ store, minersOnline }: ApiParts, { id }: Token): Promise<readonly Address[]> {
  const { height } = await store.tail()
  const publishers = await store.tokenPublishers(id, height - ACTIVE_BLOCKS)
  const online = minersOnline().filter(({ tokenId = id }) => tokenId === id)
  return [...new Set([...publishers, ...online.map(({ address }) => address)])]
}

/** `Math.min` knows no bigint. */
function smaller(a: bigint, b: bigint): bigint {
  if (a < b) return a
  return b
}

/** Stakes of miners that may mine the token; a native one counts up to a limit, a custom one in full. */
export async function totalActiveStake(
  { store, network }: ApiParts,
  token: Token,
  miners: readonly Address[],
): Promise<bigint> {
  const { nativeTokenId, maximumNativeStake } = network.ledger
  const least = token.mining?.minimumStake ?? 0n
  const most = token.id === nativeTokenId ? maximumNativeStake : MAX_AMOUNT
  const balances = await store.balancesIn(token.id, miners)
  return [...balances.values()]
    .filter((balance) => balance >= least)
    .reduce((sum, balance) => sum + smaller(balance, most), 0n)
}

/** Units that all miners of the token share in one macroblock. */
function poolOf({ network }: ApiParts, token: Token): bigint {
  if (token.mining === null) return 0n
  return token.id === network.ledger.nativeTokenId
    ? rewardPools(token.mining.blockReward, network.ledger.rewardRatio).proofOfActivity
    : tokenMiningPool({ ...token.mining, totalSupply: token.totalSupply })
}

/**
 * Returns the daily reward of each listed stake if the pool is shared among today's miners (PROTOCOL 3.5.13). Empty
 * while there are no miners, and for a token that is not mined.
 */
async function expectedReturns(parts: ApiParts, tokenId: string): Promise<readonly ExpectedReturn[]> {
  const token = await parts.store.token(tokenId)
  if (token === undefined || token.mining === null) return []
  const { minimumStake } = token.mining
  const total = await totalActiveStake(parts, token, await activeMiners(parts, token))
  const pool = poolOf(parts, token)
  if (total === 0n || pool === 0n) return []
  return MIN_STAKES.map((multiple) => {
    const stake = smaller(multiple * minimumStake, MAX_AMOUNT)
    const after = stake + (stake * pool * PUBLIC_BLOCKS_PER_DAY) / total
    return { stake: stake as Amount, stakeAfterOneDay: smaller(after, MAX_AMOUNT) as Amount }
  })
}

/** So many miners take a while to look up. */
const MANY_MINERS = 500
/** Time for which returns among many miners are cached, in ms. */
const KEPT_MS = 1000
const MAX_KEPT = 64

/** `expectedReturns`, kept for a second while many miners are online. */
export function createExpectedReturns(
  parts: ApiParts,
): (tokenId: string) => Promise<readonly ExpectedReturn[]> {
  const kept = new Map<
    string,
    { readonly table: Promise<readonly ExpectedReturn[]>; readonly untilMs: number }
  >()
  return (tokenId) => {
    if (parts.minersOnline().length < MANY_MINERS) return expectedReturns(parts, tokenId)
    const known = kept.get(tokenId)
    if (known !== undefined && performance.now() < known.untilMs) return known.table
    const table = expectedReturns(parts, tokenId)
    if (kept.size >= MAX_KEPT) kept.clear()
    kept.set(tokenId, { table, untilMs: performance.now() + KEPT_MS })
    table.catch(() => kept.delete(tokenId))
    return table
  }
}

/** Reward of one day by stake, read off the table or between two of its lines; undefined outside of it. */
export function dailyRatio(table: readonly ExpectedReturn[], stake: number): number | undefined {
  const lines = table.map((line) => ({ stake: Number(line.stake), after: Number(line.stakeAfterOneDay) }))
  const at = lines.findIndex((line) => line.stake >= stake)
  const upper = lines[at]
  const lower = upper?.stake === stake ? upper : lines[at - 1]
  if (upper === undefined || lower === undefined) return undefined
  const share = upper === lower ? 0 : (stake - lower.stake) / (upper.stake - lower.stake)
  const after = lower.after + share * (upper.after - lower.after)
  return (after - stake) / stake
}
