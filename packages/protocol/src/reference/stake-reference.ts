import {
  activeStakeEndpoint,
  delegationPageEndpoint,
  delegationsEndpoint,
  delegatorPageEndpoint,
  delegatorsEndpoint,
  ownedPoolsEndpoint,
  stakePoolCountEndpoint,
  stakePoolEndpoint,
  stakePoolNamesEndpoint,
  stakePoolPageEndpoint,
  stakePoolsEndpoint,
  topDelegatorsEndpoint,
  totalStakeEndpoint,
  undelegationPageEndpoint,
  undelegationsEndpoint,
} from '../endpoints/stake-pools.ts'
import type { ReferenceGroup } from './endpoint-reference.ts'
import { type Meanings, NATIVE_UNITS, under } from './meanings.ts'

const SHARE = 'a double from 0 to 1'

const standingMeanings: Meanings = {
  rank: 'Place by stake, from 1.',
  pos_id: 'Identifier of the pool: the hash of the transaction that created it.',
  owner: 'Address of the owner.',
  fee: "Owner's part of rewards, in ten-thousandths, 0 to 10000.",
  stake: `Everything delegated to it. ${NATIVE_UNITS}`,
  stake_power: `Share of all stakes, ${SHARE}; null while nothing is delegated anywhere.`,
}

export const stakePoolMeanings: Meanings = {
  ...standingMeanings,
  active: '1 when it voted within a day (5760 blocks), else 0.',
  name: 'Name, up to 40 characters, or null.',
  effective_stake: 'Stake times uptime, native units as a double.',
  effective_stake_power: `Share of all effective stakes, ${SHARE}; null while no pool is active.`,
  active_stake_power: `Share of the stakes of active pools, ${SHARE}; 0 for one that is not active.`,
  active_stake_share: `Share it would have if it became active, ${SHARE}; 0 for one that is.`,
  roi: 'Expected reward of a year for a delegator, in ten-thousandths of the stake, rounded.',
  uptime: `Share of the macroblocks of a day it voted in, ${SHARE}. Here of those that exist.`,
}

const delegationMeanings: Meanings = {
  ...standingMeanings,
  delegated: `What it has delegated. ${NATIVE_UNITS}`,
  undelegated: `What it took out and may claim. ${NATIVE_UNITS}`,
  transit: `What it took out and is still locked. ${NATIVE_UNITS}`,
  reward: `Its reward that waits to be claimed. ${NATIVE_UNITS}`,
}

const undelegationMeanings: Meanings = {
  tx_hash: 'Hash of the transaction that took it out: the identifier a claim names.',
  pos_id: 'Identifier of the pool.',
  amount: `How much. ${NATIVE_UNITS}`,
  height: 'Height of the macroblock that held the transaction.',
  timestamp: 'Time of that key block, Unix seconds.',
  transfer_lock: '1 while it is locked, 0 when it may be claimed.',
}

const PAGE = 'Page from 0; 0 when absent. A page beyond the end is empty.'
const NO_PAGE = '`page` is no whole number from 0.'
const POOL = 'Identifier of the pool, 64 hex digits.'

export const stakeReference: ReferenceGroup = {
  name: 'Stake pools',
  description: 'Proof of stake: pools, what is delegated to them, what is being withdrawn.',
  endpoints: [
    {
      endpoint: stakePoolsEndpoint,
      summary: 'All stake pools and their sums',
      answer: {
        daily_pos_reward: `Proof-of-stake part of 5760 block rewards. ${NATIVE_UNITS}`,
        total_stake: `Everything delegated. ${NATIVE_UNITS} Null when there is no delegation.`,
        active_total_stake: `Stake of the active pools. ${NATIVE_UNITS} Null when none is active.`,
        effective_total_stake: `Sum of the effective stakes of active pools, each rounded. ${NATIVE_UNITS} Null when none is active.`,
        pos_contracts: 'The pools, largest stake first.',
        ...under('pos_contracts[].', stakePoolMeanings),
      },
    },
    {
      endpoint: stakePoolPageEndpoint,
      summary: 'Twenty stake pools',
      parameters: { page: 'Page from 0; 0 when absent. A page beyond the end is empty.' },
      answer: {
        pos_contracts: 'Up to twenty, largest stake first.',
        ...under('pos_contracts[].', stakePoolMeanings),
        page_count: 'How many pages there are, from 0.',
      },
      malformed: '`page` is no whole number from 0.',
    },
    {
      endpoint: stakePoolCountEndpoint,
      summary: 'How many stake pools there are',
      answer: { count: 'Pools, active or not.' },
    },
    {
      endpoint: stakePoolNamesEndpoint,
      summary: 'Names of all stake pools',
      answer: under('[].', { pos_id: 'Identifier of the pool.', name: 'Its name, or null.' }),
    },
    {
      endpoint: activeStakeEndpoint,
      summary: 'Stake of the active pools',
      answer: { active_total_stake: `Their sum. ${NATIVE_UNITS} Null when none is active.` },
    },
    {
      endpoint: delegationsEndpoint,
      summary: 'What an account has at stake pools',
      description: 'One entry for each pool; empty for an account that delegated nothing.',
      parameters: { delegator: 'Address of the account.' },
      answer: under('[].', delegationMeanings),
    },
    {
      endpoint: delegationPageEndpoint,
      summary: 'Twenty of what an account has at stake pools',
      parameters: { delegator: 'Address of the account.', page: PAGE },
      answer: {
        pos_delegated: 'Up to twenty, as `/get_delegated_list` has them.',
        ...under('pos_delegated[].', delegationMeanings),
        page_count: 'How many pages there are, from 0.',
      },
      malformed: NO_PAGE,
    },
    {
      endpoint: undelegationsEndpoint,
      summary: 'What an account took out of stake pools',
      description: 'Largest amount first; claimed ones are not listed.',
      parameters: { delegator: 'Address of the account.' },
      answer: under('[].', undelegationMeanings),
    },
    {
      endpoint: undelegationPageEndpoint,
      summary: 'Twenty of what an account took out of stake pools',
      parameters: { delegator: 'Address of the account.', page: PAGE },
      answer: {
        pos_undelegated: 'Up to twenty, largest amount first.',
        ...under('pos_undelegated[].', undelegationMeanings),
        page_count: 'How many pages there are, from 0.',
      },
      malformed: NO_PAGE,
    },
    {
      endpoint: totalStakeEndpoint,
      summary: 'Everything that is delegated',
      answer: { total_stake: `Its sum. ${NATIVE_UNITS} Null when nothing is delegated.` },
    },
    {
      endpoint: ownedPoolsEndpoint,
      summary: 'Stake pools of one owner',
      description: 'By identifier, the highest first; empty for an account that owns none.',
      parameters: { owner: 'Address of the owner.' },
      answer: under('[].', {
        pos_id: 'Identifier of the pool.',
        owner: 'Address of the owner.',
        fee: "Owner's part of rewards, in ten-thousandths, 0 to 10000.",
        stake: `Everything delegated to it. ${NATIVE_UNITS}`,
        name: 'Name, up to 40 characters, or null.',
      }),
    },
    {
      endpoint: stakePoolEndpoint,
      summary: 'One stake pool',
      description: 'A list with one pool; empty when it is unknown.',
      parameters: { pos_id: POOL },
      answer: under('[].', stakePoolMeanings),
    },
    {
      endpoint: delegatorsEndpoint,
      summary: 'Everybody who delegated to a stake pool',
      parameters: { pos_id: POOL },
      answer: under('[].', {
        pos_id: 'Identifier of the pool.',
        delegator: 'Address of the account.',
        amount: `What it has delegated. ${NATIVE_UNITS}`,
        reward: `Its reward that waits to be claimed. ${NATIVE_UNITS}`,
      }),
    },
    {
      endpoint: delegatorPageEndpoint,
      summary: 'Twenty of those who delegated to a stake pool',
      parameters: { pos_id: POOL, page: PAGE },
      answer: {
        pos_delegators: 'Up to twenty, largest amount first.',
        'pos_delegators[].delegator': 'Address of the account.',
        'pos_delegators[].amount': `What it has delegated. ${NATIVE_UNITS}`,
        'pos_delegators[].share': `Share of the stake of the pool, ${SHARE}.`,
        page_count: 'How many pages there are, from 0.',
      },
      malformed: NO_PAGE,
    },
    {
      endpoint: topDelegatorsEndpoint,
      summary: 'The accounts with the largest delegated stakes',
      answer: {
        top_pos: 'Up to twenty, largest stake first.',
        'top_pos[].id': 'Address of the account.',
        'top_pos[].stake': `What it has delegated to all pools. ${NATIVE_UNITS}`,
        'top_pos[].s_reward': `Its rewards that wait to be claimed. ${NATIVE_UNITS}`,
        'top_pos[].percent': 'Share of everything that is delegated, 0 to 100; a double.',
      },
    },
  ],
}
