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

/** A stake pool in answers of the API. */
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

/** `GET /get_pos_total_stake`: everything that is delegated. */
export const totalStakeEndpoint = defineEndpoint({
  path: '/get_pos_total_stake',
  answer: record({ totalStake: ['total_stake', orNull(amount)] }),
})

const ownedPool = record({
  id: ['pos_id', hash],
  owner: address,
  feeBps: ['fee', count],
  stake: amount,
  name: orNull(text),
})

/** `GET /get_pos_list`: the stake pools of one owner, by identifier, the highest first. */
export const ownedPoolsEndpoint = defineEndpoint({
  path: '/get_pos_list',
  parameters: { owner: maybe('address', 'owner') },
  answer: list(ownedPool),
})

/** `GET /get_pos_info`: a list with one stake pool, or none. */
export const stakePoolEndpoint = defineEndpoint({
  path: '/get_pos_info',
  parameters: { poolId: maybe('hash', 'pos_id') },
  answer: list(pool),
})

const delegatorStake = record({ poolId: ['pos_id', hash], delegator: address, amount, reward: amount })

/** `GET /get_delegators_list`: everybody who delegated to a stake pool. */
export const delegatorsEndpoint = defineEndpoint({
  path: '/get_delegators_list',
  parameters: { poolId: maybe('hash', 'pos_id') },
  answer: list(delegatorStake),
})

/** `GET /get_delegators_page`: twenty of them, the largest first. */
export const delegatorPageEndpoint = defineEndpoint({
  path: '/get_delegators_page',
  parameters: { poolId: maybe('hash', 'pos_id'), page: maybe('page', 'page') },
  answer: record({
    delegators: ['pos_delegators', list(record({ delegator: address, amount, share: decimal }))],
    pageCount: ['page_count', count],
  }),
})

/** `GET /get_delegated_page`: twenty entries of `/get_delegated_list`. */
export const delegationPageEndpoint = defineEndpoint({
  path: '/get_delegated_page',
  parameters: { delegator: maybe('address', 'delegator'), page: maybe('page', 'page') },
  answer: record({ delegations: ['pos_delegated', list(delegatedStake)], pageCount: ['page_count', count] }),
})

/** `GET /get_undelegated_page`: twenty entries of `/get_undelegated_list`. */
export const undelegationPageEndpoint = defineEndpoint({
  path: '/get_undelegated_page',
  parameters: { delegator: maybe('address', 'delegator'), page: maybe('page', 'page') },
  answer: record({
    undelegations: ['pos_undelegated', list(undelegatedStake)],
    pageCount: ['page_count', count],
  }),
})

/** `GET /get_top_pos`: the twenty accounts with the largest delegated stakes. */
export const topDelegatorsEndpoint = defineEndpoint({
  path: '/get_top_pos',
  answer: record({
    delegators: [
      'top_pos',
      list(
        record({ account: ['id', address], stake: amount, reward: ['s_reward', amount], percent: decimal }),
      ),
    ],
  }),
})

/** A stake pool with its rank, stake in native units, uptime and yearly return. */
export type StakePoolAnswer = Value<typeof pool>
/** Stake that an account delegated to a pool, in native units. */
export type DelegatedStake = Value<typeof delegatedStake>
/** Stake that an account took back from a pool, in native units. It is transferable after the lock. */
export type UndelegatedStake = Value<typeof undelegatedStake>
