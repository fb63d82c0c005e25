import type { Hash } from '@hailstone/protocol'
import type { ApiParts } from './api-parts.ts'
import { totalActiveStake } from './expected-returns.ts'
import { blocksOfOneDay, PUBLIC_BLOCKS_PER_DAY } from './one-day.ts'

type Statistics = Readonly<Record<string, bigint | string | null>>

/** The integer part of a packed difficulty stands in its top byte, the fraction in 24 bits (PROTOCOL 3.5.2). */
export const difficultyText = (packed: number): string =>
  (Math.floor(packed / 0x1_00_00_00) + (packed % 0x1_00_00_00) / 0xff_ff_ff).toFixed(2)

/** Reads holdings and numbers of miners and stake pools. */
async function stakes(parts: ApiParts, height: number, sinceHeight: number): Promise<Statistics> {
  const { store, network } = parts
  const native = await store.token(network.ledger.nativeTokenId)
  const pools = await store.stakePools(Math.max(0, height - Number(PUBLIC_BLOCKS_PER_DAY)))
  const mined =
    native === undefined
      ? 0n
      : await totalActiveStake(parts, native, await store.tokenPublishers(native.id, sinceHeight))
  const active = pools.filter(({ votes }) => votes > 0)
  const staked = active.reduce((sum, { stake }) => sum + (stake ?? 0n), 0n)
  const least = native?.mining?.minimumStake ?? 0n
  return {
    engaged_balance: mined + staked,
    poa_capable_count: BigInt(await store.accountsHolding(network.ledger.nativeTokenId, least)),
    pos_active_count: BigInt(active.length),
    pos_total_count: BigInt(pools.length),
    total_daily_pos_stake: staked,
    total_daily_stake: mined,
  }
}

async function compute(parts: ApiParts, height: number): Promise<Statistics> {
  const { store, network, minersOnline, blockTimeMs } = parts
  const sinceHeight = height - blocksOfOneDay(blockTimeMs)
  const figures = await store.chainFigures(sinceHeight)
  const native = await store.token(network.ledger.nativeTokenId)
  const supply = native?.totalSupply ?? 0n
  const held = (await store.balance(network.ledger.genesis, network.ledger.nativeTokenId)) ?? 0n
  const lastTransactions = (await store.microblocksOf(height - 1)).reduce(
    (sum, { transactionCount }) => sum + transactionCount,
    0,
  )
  const perSecond = (transactions: number): bigint => BigInt(Math.floor((transactions * 1000) / blockTimeMs))
  const tail = await store.keyBlockAt(height)
  return {
    accounts: BigInt(figures.accounts),
    block_time_target: BigInt(Math.max(1, Math.round(blockTimeMs / 1000))),
    csup: supply - held,
    difficulty: difficultyText(tail?.targetDifficulty ?? 0),
    height: BigInt(height),
    max_tps: perSecond(figures.busiestMacroblock),
    poa_count: BigInt(minersOnline().length),
    referrer_stake: native?.mining?.referrerStake ?? null,
    reward_poa: figures.paid.miners,
    reward_pos: figures.paid.stakePools,
    reward_pow: figures.paid.keyBlocks,
    tps: perSecond(lastTransactions),
    tsup: supply,
    ...(await stakes(parts, height, sinceHeight)),
  }
}

/** The figures of `/stats`, computed once for each key block: they take a look at a whole day. */
export function createStatistics(parts: ApiParts): () => Promise<Statistics> {
  let known: { readonly hash: Hash; readonly figures: Promise<Statistics> } | undefined
  return async () => {
    const { height, hash } = await parts.store.tail()
    if (known?.hash !== hash) {
      const figures = compute(parts, height)
      known = { hash, figures }
      figures.catch(() => {
        known = undefined
      })
    }
    return known.figures
  }
}
