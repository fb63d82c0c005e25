import type { AgentFigures, ChainFigures, ChainStore } from './chain-store.ts'
import { readTotals } from './chain-totals.ts'
import type { Queries } from './queries.ts'
import { rewardsSince } from './reward-totals.ts'

async function paidTo(
  queries: Queries,
  parameters: { readonly account: string; readonly type: string; readonly sinceHeight: number },
): Promise<bigint | null> {
  const row = await queries
    .selectFrom('account_record')
    .select(({ fn }) => fn.sum<bigint | null>('value').as('sum'))
    .where('account', '=', parameters.account)
    .where('record_type', '=', parameters.type)
    .where('height', '>=', parameters.sinceHeight)
    .executeTakeFirst()
  return row?.sum ?? null
}

async function agentFigures(queries: Queries, account: string, sinceHeight: number): Promise<AgentFigures> {
  const named = await queries
    .selectFrom('microblock')
    .select(({ fn }) => [
      fn.count<bigint>('publisher').distinct().as('miners'),
      fn.sum<bigint | null>('reward').as('reward'),
    ])
    .where('referral_agent', '=', account)
    .where('height', '>=', sinceHeight)
    .executeTakeFirst()
  return {
    referralCount: Number(named?.miners ?? 0),
    referralReward: named?.reward ?? null,
    keyBlockReward: await paidTo(queries, { account, type: 'ik', sinceHeight }),
    statBlockReward: await paidTo(queries, { account, type: 'istat', sinceHeight }),
  }
}

const countOf = (row: { readonly count: bigint | null } | undefined): number => Number(row?.count ?? 0)

async function chainFigures(
  queries: Queries,
  nativeTokenId: string,
  sinceHeight: number,
): Promise<ChainFigures> {
  const accounts = await queries
    .selectFrom('balance')
    .select(({ fn }) => fn.countAll<bigint>().as('count'))
    .where('token_id', '=', nativeTokenId)
    .executeTakeFirst()
  return {
    accounts: countOf(accounts),
    ...(await readTotals(queries)),
    paid: await rewardsSince(queries, sinceHeight),
  }
}

export const figureReads = (
  queries: Queries,
  network: () => Promise<{ readonly nativeTokenId: string }>,
): Pick<ChainStore, 'agentFigures' | 'chainFigures'> => ({
  agentFigures: (account, sinceHeight) => agentFigures(queries, account.toLowerCase(), sinceHeight),
  chainFigures: async (sinceHeight) => chainFigures(queries, (await network()).nativeTokenId, sinceHeight),
})
