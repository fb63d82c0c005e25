import {
  activeStakeEndpoint,
  delegationsEndpoint,
  stakePoolCountEndpoint,
  stakePoolNamesEndpoint,
  stakePoolPageEndpoint,
  stakePoolsEndpoint,
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

export const stakeReference: ReferenceGroup = {
  name: 'Stake pools',
  description: 'Proof of stake: pools, what is delegated to them, what is on its way out.',
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
      answer: under('[].', {
        ...standingMeanings,
        delegated: `What it has delegated. ${NATIVE_UNITS}`,
        undelegated: `What it took out and may claim. ${NATIVE_UNITS}`,
        transit: `What it took out and is still locked. ${NATIVE_UNITS}`,
        reward: `Its reward that waits to be claimed. ${NATIVE_UNITS}`,
      }),
    },
    {
      endpoint: undelegationsEndpoint,
      summary: 'What an account took out of stake pools',
      description: 'Largest amount first; claimed ones are not listed.',
      parameters: { delegator: 'Address of the account.' },
      answer: under('[].', {
        tx_hash: 'Hash of the transaction that took it out: the identifier a claim names.',
        pos_id: 'Identifier of the pool.',
        amount: `How much. ${NATIVE_UNITS}`,
        height: 'Height of the macroblock that held the transaction.',
        timestamp: 'Time of that key block, Unix seconds.',
        transfer_lock: '1 while it is locked, 0 when it may be claimed.',
      }),
    },
  ],
}
