import {
  address,
  amount,
  count,
  decimal,
  flag,
  hash,
  list,
  orNull,
  text,
  textAmount,
} from '../schema/leaves.ts'
import { record, type Value } from '../schema/record.ts'
import { defineEndpoint, maybe } from './define-endpoint.ts'

const pool = record({
  /** From 1, by stake descending. */
  rank: count,
  isActive: ['active', flag],
  id: ['pos_id', hash],
  owner: address,
  name: orNull(text),
  feeBps: ['fee', count],
  stake: amount,
  /** Stake times uptime, and shares of totals; doubles. */
  effectiveStake: ['effective_stake', decimal],
  stakePower: ['stake_power', orNull(decimal)],
  effectiveStakePower: ['effective_stake_power', orNull(decimal)],
  activeStakePower: ['active_stake_power', orNull(decimal)],
  activeStakeShare: ['active_stake_share', orNull(decimal)],
  yearlyReturnBps: ['roi', decimal],
  uptime: decimal,
})

export const stakePool = pool

/** `GET /get_pos_list_count`: number of stake pools. */
export const stakePoolCountEndpoint = defineEndpoint({
  path: '/get_pos_list_count',
  answer: record({ count }),
})

/** `GET /get_pos_list_page`: twenty stake pools, the largest first. */
export const stakePoolPageEndpoint = defineEndpoint({
  path: '/get_pos_list_page',
  parameters: { page: maybe('page', 'page') },
  answer: record({ pools: ['pos_contracts', list(pool)], pageCount: ['page_count', count] }),
})

/** `GET /get_pos_list_all`: every stake pool, and their totals. */
export const stakePoolsEndpoint = defineEndpoint({
  path: '/get_pos_list_all',
  answer: record({
    dailyReward: ['daily_pos_reward', textAmount],
    totalStake: ['total_stake', orNull(amount)],
    activeTotalStake: ['active_total_stake', orNull(amount)],
    effectiveTotalStake: ['effective_total_stake', orNull(amount)],
    pools: ['pos_contracts', list(pool)],
  }),
})

/** `GET /get_pos_names`: names of all stake pools. */
export const stakePoolNamesEndpoint = defineEndpoint({
  path: '/get_pos_names',
  answer: list(record({ id: ['pos_id', hash], name: orNull(text) })),
})

const delegatedStake = record({
  rank: count,
  poolId: ['pos_id', hash],
  owner: address,
  feeBps: ['fee', count],
  stake: amount,
  stakePower: ['stake_power', orNull(decimal)],
  delegated: amount,
  undelegated: amount,
  inTransit: ['transit', amount],
  reward: amount,
})

/** `GET /get_delegated_list`: what an account has delegated to each stake pool. */
export const delegationsEndpoint = defineEndpoint({
  path: '/get_delegated_list',
  parameters: { delegator: maybe('address', 'delegator') },
  answer: list(delegatedStake),
})

const undelegatedStake = record({
  transactionHash: ['tx_hash', hash],
  poolId: ['pos_id', hash],
  amount,
  height: count,
  time: ['timestamp', count],
  isLocked: ['transfer_lock', flag],
})

/** `GET /get_undelegated_list`: what an account undelegated and has not claimed, largest first. */
export const undelegationsEndpoint = defineEndpoint({
  path: '/get_undelegated_list',
  parameters: { delegator: maybe('address', 'delegator') },
  answer: list(undelegatedStake),
})

/** `GET /get_pos_active_total_stake`: total stake of the pools that voted recently. */
export const activeStakeEndpoint = defineEndpoint({
  path: '/get_pos_active_total_stake',
  answer: record({ activeTotalStake: ['active_total_stake', orNull(amount)] }),
})

export type StakePoolAnswer = Value<typeof pool>
export type DelegatedStake = Value<typeof delegatedStake>
export type UndelegatedStake = Value<typeof undelegatedStake>
