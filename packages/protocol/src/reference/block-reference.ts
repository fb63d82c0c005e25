import {
  heightEndpoint,
  lastBlocksEndpoint,
  lastTransactionsEndpoint,
  macroblockByHeightEndpoint,
  macroblockEndpoint,
  microblockEndpoint,
  microblocksEndpoint,
  statBlockEndpoint,
} from '../endpoints/index.ts'
import type { ReferenceGroup } from './endpoint-reference.ts'
import {
  blockTransactionMeanings,
  keyBlockMeanings,
  macroblockMeanings,
  NATIVE_UNITS,
  UNITS,
  under,
} from './meanings.ts'

const BLOCK_HASH = 'Hash of the block, 64 hex digits in either case.'

export const blockReference: ReferenceGroup = {
  name: 'Blocks',
  description:
    'The walk: height, macroblock, microblock, transactions. The newest block is open: its microblocks are listed once the next key block exists.',
  endpoints: [
    {
      endpoint: heightEndpoint,
      summary: 'Height of the newest key block',
      description: 'The block at this height is still open; begin a walk one below.',
      answer: { height: 'Height of the open key block. Absent at height 0.' },
    },
    {
      endpoint: macroblockByHeightEndpoint,
      summary: 'A macroblock by its height',
      parameters: { height: 'Height, from 0. A text without a number in front counts as 0.' },
      answer: macroblockMeanings,
      unknown: 'There is no block at that height.',
      missing: '`height` is missing.',
    },
    {
      endpoint: macroblockEndpoint,
      summary: 'A macroblock by the hash of its key block',
      description: 'For an unknown hash the lists are empty and `kblock` is absent.',
      parameters: { hash: 'Hash of the key block, or the name of the origin block.' },
      answer: {
        ...macroblockMeanings,
        snapshot_hash: 'Hash of the snapshot taken at this block, else null.',
      },
      missing: '`hash` is missing.',
    },
    {
      endpoint: microblockEndpoint,
      summary: 'A microblock with its transactions',
      description:
        'For a microblock that is unknown or not calculated yet `transactions` is empty and `header` absent.',
      parameters: { hash: BLOCK_HASH },
      answer: {
        transactions: 'Its transactions, ascending by hash.',
        ...under('transactions[].', blockTransactionMeanings),
        header: 'Who mined it. Absent when it is unknown.',
        'header.kblocks_hash': 'Hash of the key block it extends.',
        'header.publisher': 'Address of the miner.',
        'header.referrer': "Address of the miner's referral agent, or null.",
        'header.mblocks_hash': 'Hash of the microblock.',
        'header.reward': `Reward of the publisher without any referral part, in units of the mined token. ${UNITS}`,
        'header.nonce': 'Number the leader chose, usually 1.',
        'header.token': 'Identifier of the token it was mined in.',
      },
      missing: '`hash` is missing.',
    },
    {
      endpoint: statBlockEndpoint,
      summary: 'A statblock, the vote of a proof-of-stake pool',
      description: 'An empty object when it is unknown.',
      parameters: { hash: BLOCK_HASH },
      answer: {
        header: 'Absent when the statblock is unknown.',
        'header.kblocks_hash': 'Hash of the key block it extends.',
        'header.publisher': 'Identifier of the pool, 64 hex digits.',
        'header.sblocks_hash': 'Hash of the statblock.',
        'header.reward': `Reward of the whole pool. ${NATIVE_UNITS}`,
      },
    },
    {
      endpoint: lastBlocksEndpoint,
      summary: 'The newest calculated key blocks',
      answer: {
        blocks: 'Up to ten, newest first; the open block is not among them.',
        ...under('blocks[].', keyBlockMeanings),
      },
    },
    {
      endpoint: lastTransactionsEndpoint,
      summary: 'Transactions of the newest calculated macroblock',
      answer: {
        txs: 'Up to ten, in no order.',
        ...under('txs[].', blockTransactionMeanings),
      },
    },
    {
      endpoint: microblocksEndpoint,
      summary: 'Microblocks of a range of heights',
      parameters: {
        offset: 'First height; 0 when absent.',
        limit: 'How many heights, at most 10; 0 when absent, which gives an empty list.',
      },
      answer: under('[].', {
        k_hash: 'Hash of the key block.',
        m_hash: 'Hash of the microblock.',
        publisher: 'Address of the miner.',
        reward: `Reward of the publisher in units of the mined token. ${UNITS}`,
        k_time: 'Time of the key block, Unix seconds.',
        height: 'Height of the key block.',
      }),
    },
  ],
}
