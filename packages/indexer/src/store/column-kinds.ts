import type { KeyedTable } from '../row-set.ts'
import type { Schema } from '../schema.ts'

/** Type of an array in SQL that holds the values of a column; the database makes the type of the column of it. */
export type ColumnKind = 'int' | 'numeric' | 'text' | 'boolean'

type KindOf<Value> = [NonNullable<Value>] extends [number]
  ? 'int'
  : [NonNullable<Value>] extends [bigint]
    ? 'numeric'
    : [NonNullable<Value>] extends [boolean]
      ? 'boolean'
      : 'text'

/** Tables whose rows are written many at a time. */
export type WrittenTable =
  | KeyedTable
  | 'account'
  | 'block'
  | 'microblock'
  | 'reward'
  | 'transfer'
  | 'unexplained'
  | 'agent_change'
  | 'stake_change'
  | 'owner_balance'

type Kinds<Table extends WrittenTable> = { readonly [C in keyof Schema[Table]]: KindOf<Schema[Table][C]> }

const [int, numeric, text, boolean] = ['int', 'numeric', 'text', 'boolean'] as const

/** Columns of each table. */
export const columnKinds: { readonly [Table in WrittenTable]: Kinds<Table> } = {
  account: { id: int, address: text, height: int },
  block: {
    ...{ height: int, hash: text, next_hash: text, time: numeric, day: int, hour: int },
    ...{ microblocks: int, own_microblocks: int, is_proven: boolean },
  },
  microblock: {
    ...{ height: int, ordinal: int, token: int, account: int, agent: int, hash: text, stake: numeric },
  },
  reward: {
    ...{ height: int, ordinal: int, token: int, account: int, kind: int, microblock: int },
    ...{ amount: numeric, expected: numeric },
  },
  transfer: {
    ...{ height: int, ordinal: int, token: int, sender: int, receiver: int, amount: numeric },
    ...{ fee: numeric, status: int, hash: text, data: text },
  },
  unexplained: {
    ...{ height: int, ordinal: int, token: int, account: int, subject: text },
    ...{ shown: numeric, computed: numeric },
  },
  agent_change: { token: int, account: int, height: int, agent: int },
  owner_balance: { token: int, day: int, height: int, amount: numeric },
  stake_change: { token: int, account: int, height: int, is_below: boolean },
  token: {
    ...{ id: int, token_id: text, owner: int, symbol: text, caption: text, decimals: int },
    ...{ fee_type: int, fee_value: numeric, fee_minimum: numeric, max_supply: numeric },
    ...{ block_reward: numeric, minimum_stake: numeric, referrer_stake: numeric, referral_share_bps: int },
    ...{ created_height: int, total_supply: numeric },
  },
  holding: { token: int, account: int, amount: numeric },
  miner: {
    ...{ token: int, account: int, first_height: int, first_day: int, last_height: int, last_day: int },
    ...{ last_hour: int, active_days: int, microblocks: numeric, earned: numeric, agent: int },
    ...{ agent_since: int, is_below: boolean },
  },
  stake_band: { token: int, band: int, holders: int, miners: int },
  token_hour: {
    ...{ token: int, hour: int, active: int, microblocks: int, mined: numeric, referred: numeric },
    ...{ transfers: int, fees: numeric, rejected: int },
  },
  token_day: {
    ...{ token: int, day: int, active: int, new: int, returned: int, week_step: int, month_step: int },
    ...{ blocks: int, microblocks: int, mined: numeric, miner_half: numeric, agent_half: numeric },
    ...{ owner_part: numeric, lost: numeric, transfers: int, fees: numeric, rejected: int },
  },
  cohort: { token: int, active_week: int, week: int, miners: int },
  agent_day: {
    ...{
      token: int,
      agent: int,
      day: int,
      microblocks: int,
      earned: numeric,
      lost: numeric,
      new_miners: int,
    },
  },
  agent_total: {
    ...{ token: int, agent: int, miners: int, microblocks: numeric, earned: numeric, lost: numeric },
    ...{ first_day: int, last_day: int },
  },
}
