import { randomBytes } from 'node:crypto'
import type { FaultScript } from '@hailstone/fault-injection'
import { addressOf, type JsonValue, parseJson, parsePrivateKey } from '@hailstone/protocol'
import { afterAll, afterEach, beforeAll } from 'vitest'
import { type LocalNetwork, startLocalNetwork } from '../src/serve.ts'
import { payment } from './payments.ts'
import { type AskOptions, ask, type Seen } from './plain-http.ts'

type HttpRule = Extract<FaultScript['rules'][number], { on: 'api' }>

export const COIN = 10n ** 10n

export const json = ({ text }: Seen): JsonValue => parseJson(text)

/** A network for the tests of a file, whose HTTP interface makes the trouble it is told. */
export function useFaultyInterface() {
  let running: LocalNetwork | undefined
  function network(): LocalNetwork {
    if (running === undefined) throw new Error('the network is not running yet')
    return running
  }
  beforeAll(async () => {
    running = await startLocalNetwork({ blockTimeMs: 3_600_000, seed: 'faults over http', keepAlive: false })
    await running.control.mine(2)
  })
  afterEach(() => network().faults.clear())
  afterAll(() => running?.stop())

  const fault = (one: HttpRule['fault'], match: HttpRule['match'] = {}): void =>
    network().faults.set({ seed: 'a seed', rules: [{ on: 'api', match, fault: one }] })

  const get = (path: string, options?: AskOptions): Promise<Seen> => ask(network().apiUrl + path, options)

  /** A signed payment as it is posted. */
  function newPayment() {
    const [from] = network().accounts.developers
    if (from === undefined) throw new Error('there are developers')
    const to = addressOf(parsePrivateKey(randomBytes(32).toString('hex')))
    const { transaction, hash } = payment(network(), { from, to, amount: COIN })
    const { signature, tokenId, amount, ...rest } = transaction
    return { hash, body: [{ ...rest, amount: String(amount), sign: signature, ticker: tokenId }] }
  }

  const post = (body: unknown, options: AskOptions = {}): Promise<Seen> =>
    get('/tx', { method: 'POST', body, ...options })

  const isPending = async (hash: string): Promise<boolean> =>
    (json(await get(`/pending_tx_hash?hash=${hash}`)) as readonly unknown[]).length === 1

  return {
    get network() {
      return network()
    },
    fault,
    get,
    newPayment,
    post,
    isPending,
  }
}
