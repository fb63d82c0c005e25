import {
  formatPeer,
  formatRefusal,
  isNodeError,
  parseClientMessage,
  parseServerMessage,
} from '@hailstone/protocol'
import { createFuzzLog, type FuzzReport } from './fuzz-report.ts'
import { nastyCopy, nastyJson, nastyValue } from './nasty.ts'
import { chance } from './random.ts'

const transaction = {
  amount: '255000000000',
  data: '',
  from: `02${'ab'.repeat(32)}`,
  nonce: '7',
  sign: '3006020101020101',
  ticker: '0'.repeat(64),
  to: `03${'cd'.repeat(32)}`,
  hash: 'ef'.repeat(32),
}

/** Messages of a gateway that a miner's reader must survive. */
const serverMessages: Readonly<Record<string, unknown>> = {
  on_leader_beacon: {
    ver: 4,
    method: 'on_leader_beacon',
    data: {
      leader_id: '14532',
      mblock_data: {
        kblocks_hash: 'ab'.repeat(32),
        txs: [transaction, transaction],
        nonce: 1,
        publisher: `02${'ab'.repeat(32)}`,
      },
      m_hash: 'cd'.repeat(32),
    },
  },
  peer_message: JSON.parse(formatPeer({ host: '127.0.0.1', port: 3000 })),
  err: JSON.parse(formatRefusal('ERR_DUPLICATE_KEY')),
}

/** Reads so many broken messages of each kind with the reader of the other side: an answer or a typed error. */
export async function fuzzMessages(parameters: {
  readonly seed: number
  readonly casesPerMessage: number
}): Promise<FuzzReport> {
  const log = createFuzzLog()
  for (const [at, [name, right]] of Object.entries(serverMessages).entries()) {
    const luck = chance(parameters.seed * 104729 + at)
    for (let number = 0; number < parameters.casesPerMessage; number++) {
      const text = nastyJson(luck, luck.isLucky(0.05) ? nastyValue(luck) : nastyCopy(luck, right))
      await log.timed(`${name}: ${text}`, async () => {
        try {
          parseServerMessage(text)
          parseClientMessage(text)
          log.count(name, 'read')
        } catch (error) {
          log.count(name, 'refused')
          if (!isNodeError(error)) log.fail(`${name}: ${text} threw ${String(error)}`)
        }
      })
    }
  }
  return log.report()
}
