import type { Mutation } from '../mutation.ts'
import type { Run } from '../run/run.ts'
import { payer as account } from '../world/accounts.ts'
import { type ApiNodesParameters, createApiNodes } from '../world/api-nodes.ts'
import { type PostFault, takePosted } from '../world/mempool.ts'
import { STEADY, startProducer } from '../world/producer.ts'
import { SimulatedChain } from '../world/simulated-chain.ts'
import { SimulatedDisk } from '../world/simulated-disk.ts'
import { createOrderLog } from './order-log.ts'
import { createPayer, JOURNAL } from './payer.ts'

/** Time of the last fault, in ms. */
const CALM_AT_MS = 240_000
/** Time at which everything must be settled, in ms. */
const END_MS = CALM_AT_MS + 1_800_000
const MAX_EVENTS = 60_000
const MALLEATIONS: readonly PostFault[] = ['malleates the signature', 'appends to the signature']

/**
 * An account pays several orders with a program that is killed, frozen and starved of disk space; the network loses,
 * repeats, forgets and forks. At the end each order was paid once, or reported as not paid.
 */
export async function payments(run: Run, mutation: Mutation): Promise<void> {
  const { chance, time } = run
  const chain = new SimulatedChain({ now: time.now })
  const disk = new SimulatedDisk(run)
  const producer = startProducer(run, chain)
  const book = createOrderLog(run)
  let isCalm = false

  const postFault = chance.pick<PostFault>([
    ...(['none', 'none', 'none', 'forgets it', 'refuses it', 'refuses it and keeps it'] as const),
    ...(['names another hash', 'malleates the signature', 'appends to the signature'] as const),
  ])
  const isMalleated = MALLEATIONS.includes(postFault)
  const postFaults = chance.pick([0.2, 0.5])
  const inspect: ApiNodesParameters['inspect'] = ({ method, body = '', query = '' }) => {
    if (method === 'POST') book.sees(body, { name: 'payer', chain, stored: disk.durableText(JOURNAL) })
    if (body.includes(account.canary) || query.includes(account.canary))
      run.violate('I3', 'the key is in a request')
  }
  const nodes = createApiNodes({
    run,
    chain,
    inspect,
    post: (body) => takePosted(run, chain.pool, body, !isCalm && chance.is(postFaults) ? postFault : 'none'),
    // An attacker who malleates signatures and also replays or hides transactions can cause a second payment that no
    // client could prevent.
    ...(isMalleated ? { without: { late: 0, twice: 0 }, areUpToDate: true } : {}),
  })

  producer.faultRates = {
    fork: chance.pick([0, 0, 0.1, 0.3]),
    taken: chance.pick([0.3, 0.8, 1]),
    forgets: isMalleated ? 0 : chance.pick([0, 0, 0.1, 0.4]),
  }
  disk.faultRates = { full: chance.pick([0, 0, 0.03]), broken: chance.pick([0, 0, 0, 0.02]) }
  time.after(CALM_AT_MS, () => {
    isCalm = true
    producer.faultRates = STEADY
    disk.faultRates = {}
    nodes.calm()
    run.note('faults', 'calm')
  })
  producer.onChange(() => book.look(chain))

  const orders = Array.from({ length: chance.whole(1, 3) }, (_, at) => ({
    memo: `order ${at}`,
    atMs: chance.ms(0, 90_000),
    amount: 1_000_000_000_000n + BigInt(chance.whole(0, 1_000_000)),
  }))
  const payer = createPayer({
    ...{ run, mutation, book, name: 'payer', disk, orders, clientOf: nodes.clientOf },
    pollMs: chance.pick([2_000, 4_000]),
    clockShifts: [-3.6e6, 3.6e6, 3.2e10],
    isCalm: () => isCalm,
    chain: () => chain,
    // After a failed disk the last record may be missing.
    isFoundOutAgain: () => disk.hasFailed,
  })

  payer.start()
  const end = await time.run({ untilMs: END_MS, isDone: payer.isDone, maxEvents: MAX_EVENTS })
  if (end === 'endless') run.violate('I4', 'it does not come to rest')
  if (end === 'late')
    run.violate('I4', `not settled half an hour after the last fault: ${payer.open().join(', ')}`)
  // Late requests arrive now, and forked transactions would come back.
  await time.run({ untilMs: time.now() + 120_000, isDone: () => false, maxEvents: MAX_EVENTS })
  producer.stop()
  book.judge()
  book.look(chain)
  if (disk.everything().includes(account.canary)) run.violate('I3', 'the key is on the disk')
}
