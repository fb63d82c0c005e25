import type { ReferenceGroup } from '@hailstone/protocol/reference'
import { controlEndpoints as endpoints } from './control-endpoints.ts'

export const CONTROL_PREFIX = '/control/v1'

const HEIGHT = 'Height of the open key block.'
const REFUSED = 'The network was left as it is; `message` says why.'

/** The control group of the reference. */
export const controlReference: ReferenceGroup = {
  name: 'Control',
  description:
    'Time, chain, money and trouble in the hands of a test or a demonstration. Only on this machine, and only because the network was started so.',
  serverUrl: CONTROL_PREFIX,
  endpoints: [
    {
      endpoint: endpoints.state,
      summary: 'Where the chain stands',
      answer: {
        height: HEIGHT,
        kblock_hash: 'Hash of the open key block.',
        time: 'What time blocks say it is, Unix milliseconds.',
        paused: 'Whether macroblocks close only when they are asked to.',
        branch: 'How often the chain went back.',
        pending: 'Transactions that wait in the pool.',
        miners: 'Miners that have hailed.',
        snapshots: 'Snapshots that can be returned to.',
      },
    },
    {
      endpoint: endpoints.mine,
      summary: 'Closes macroblocks now',
      description: 'If no miner mined, the fallback miner does.',
      body: { count: 'How many; 1 when absent.' },
      answer: { height: HEIGHT },
      missing: REFUSED,
    },
    {
      endpoint: endpoints.setClock,
      summary: 'Puts the clock that blocks are dated with',
      description: 'Waiting times are not measured with it.',
      body: {
        time: 'Unix milliseconds.',
        advance_ms: 'How far to put it forward, negative for back; after `time` when both are given.',
      },
      answer: { time: 'What time it is now, Unix milliseconds.' },
      missing: REFUSED,
    },
    {
      endpoint: endpoints.pause,
      summary: 'Closes no macroblock by itself any more',
      answer: { height: HEIGHT },
    },
    {
      endpoint: endpoints.resume,
      summary: 'Closes macroblocks by the clock again',
      answer: { height: HEIGHT },
    },
    {
      endpoint: endpoints.fund,
      summary: 'Pays an account, mined at once',
      body: {
        address: 'Account that gets the units.',
        amount: 'Units that arrive; the fee comes on top.',
        token: 'Identifier of the token; the native one when absent.',
      },
      answer: { hash: 'Hash of the transaction.', height: 'Height of the macroblock that holds it.' },
      missing: REFUSED,
    },
    {
      endpoint: endpoints.order,
      summary: 'Sends a contract order, mined at once',
      description:
        'The token owner, a development account, signs it and pays price and fee. The hash of a creation is the identifier of the token.',
      body: { data: 'The encoded contract, as the `data` of a transaction has it.' },
      answer: { hash: 'Hash of the transaction.', height: 'Height of the macroblock that holds it.' },
      missing: REFUSED,
    },
    {
      endpoint: endpoints.reorganise,
      summary: 'Takes the newest macroblocks off the chain',
      description: 'Heights go back, and the next blocks are others.',
      body: {
        blocks: 'How many.',
        keep_transactions:
          'Whether their transactions wait in the pool again; `true` when absent, else they are forgotten.',
      },
      answer: { height: HEIGHT },
      missing: REFUSED,
    },
    {
      endpoint: endpoints.snapshot,
      summary: 'Remembers chain and pool',
      description: 'As long as the process lives. The clock is not part of it.',
      answer: { id: 'What to return to.' },
    },
    {
      endpoint: endpoints.revert,
      summary: 'Returns to a snapshot',
      description: 'Also from another branch, and as often as wanted.',
      body: { id: 'Of the snapshot.' },
      answer: { height: HEIGHT },
      missing: REFUSED,
    },
    {
      endpoint: endpoints.forgetPool,
      summary: 'Empties the pool of waiting transactions',
      answer: { count: 'How many were forgotten.' },
    },
    {
      endpoint: endpoints.outage,
      summary: 'Refuses connections for a while',
      description: 'Answers before the HTTP interface goes away, when that is what was asked for.',
      body: {
        of: '`gateway` or `api`.',
        duration_ms: 'How long, in milliseconds.',
        close_code: 'Code of a closing handshake with miners, such as 1012; without one they are cut off.',
      },
      answer: {},
      missing: REFUSED,
    },
    {
      endpoint: endpoints.setFaults,
      summary: 'Begins a fault script',
      description: 'In place of the one before; `{"rules":[]}` ends all trouble.',
      answer: { rules: 'How many rules it has.' },
      missing: 'The script is not valid; `message` names the first thing that is wrong.',
    },
    {
      endpoint: endpoints.faults,
      summary: 'The script in force and what it did',
      answer: {
        script: 'Null without one.',
        'fired[].number': 'From 1, in the order in which the faults began.',
        'fired[].rule': 'Index of the rule in the script.',
        'fired[].name': 'Of the rule; absent when it has none.',
        'fired[].fault': 'What happened.',
        'fired[].on': '`api` or `gateway`.',
        'fired[].subject': 'What it happened to.',
        'fired[].occurrence': 'Which of those that fit the rule, from 1.',
        'fired[].detail': 'What was drawn or found out on the way.',
      },
    },
  ],
}
