import { readTotals } from './chain-totals.ts'
import type { Queries } from './queries.ts'
import type { Reads } from './reads.ts'
import { rewardsSince } from './reward-totals.ts'
import { begunParameters } from './stored-parameters.ts'

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

export const figureReads = {
  async agentFigures(queries, text, sinceHeight) {
    const account = text.toLowerCase()
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
  },
  async chainFigures(queries, sinceHeight) {
    const { ledger } = await begunParameters(queries)
    const accounts = await queries
      .selectFrom('balance')
      .select(({ fn }) => fn.countAll<bigint>().as('count'))
      .where('token_id', '=', ledger.nativeTokenId)
      .executeTakeFirst()
    return {
      accounts: Number(accounts?.count ?? 0),
      ...(await readTotals(queries)),
      paid: await rewardsSince(queries, sinceHeight),
    }
  },
} satisfies Reads
