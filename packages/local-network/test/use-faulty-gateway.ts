import type { FaultScript } from '@hailstone/fault-injection'
import { checkBeacon, parseServerMessage, stringifyJson } from '@hailstone/protocol'
import { afterAll, afterEach, beforeAll, expect } from 'vitest'
import { type LocalNetwork, startLocalNetwork } from '../src/serve.ts'
import { type Frame, type RawMiner, rawMiner } from './raw-miner.ts'

type SocketRule = Extract<FaultScript['rules'][number], { on: 'gateway' }>

export const isBeacon = ({ method }: Frame): boolean => method === 'on_leader_beacon'

export const beaconsOf = ({ frames }: RawMiner): readonly Frame[] => frames.filter(isBeacon)

/**
 * A network for the tests of a file, whose gateway makes the trouble it is told, and miners that bear it.
 *
 * @param pingIntervalMs a miner that does not answer for so long is cut off, which on a busy machine happens by itself
 */
export function useFaultyGateway({ pingIntervalMs = 600_000 }: { readonly pingIntervalMs?: number } = {}) {
  let running: LocalNetwork | undefined
  const miners: RawMiner[] = []
  function network(): LocalNetwork {
    if (running === undefined) throw new Error('the network is not running yet')
    return running
  }
  beforeAll(async () => {
    running = await startLocalNetwork({
      blockTimeMs: 3_600_000,
      seed: 'faults on sockets',
      gateway: { feederIntervalMs: 10, beaconIntervalMs: 20, pendingTimeoutMs: 20, pingIntervalMs },
    })
  })
  afterEach(async () => {
    network().faults.clear()
    for (const miner of miners.splice(0)) miner.socket.terminate()
    await expect.poll(() => network().gateway.minersOnline().length).toBe(0)
    // An open macroblock takes so many microblocks and no more.
    await network().control.mine()
  })
  afterAll(() => running?.stop())

  const fault = (one: SocketRule['fault'], match: SocketRule['match'] = {}): void =>
    network().faults.set({ seed: 'a seed', rules: [{ on: 'gateway', match, fault: one }] })

  const developer = (number = 0) => {
    const account = network().accounts.developers[number]
    if (account === undefined) throw new Error('there are five developers')
    return account
  }

  async function connected(number = 0): Promise<RawMiner> {
    const miner = await rawMiner(network().gatewayUrl, { privateKey: developer(number).privateKey })
    miners.push(miner)
    return miner
  }

  async function hailed(number = 0): Promise<RawMiner> {
    const miner = await connected(number)
    miner.hail()
    return miner
  }

  /** Returns an honest miner's verdict on a frame. */
  function opinion(frame: Frame): string {
    const message = parseServerMessage(stringifyJson(frame))
    if (message.kind !== 'beacon') return message.kind
    const check = checkBeacon(message.beacon, { address: developer().address })
    return check.ok ? 'signed' : check.refusal
  }

  /** The judgements of publications from now on. */
  function judgements(): { readonly verdicts: string[] } & Disposable {
    const verdicts: string[] = []
    const off = network().on('publicationJudged', ({ verdict, reason }) => verdicts.push(reason ?? verdict))
    return { verdicts, [Symbol.dispose]: off }
  }

  /** A hail as text, for sockets without a miner. */
  const hailText = (number: number): string =>
    JSON.stringify({ ver: 4, method: 'hail', data: { id: developer(number).address, hash: '', sign: '' } })

  return {
    get network() {
      return network()
    },
    fault,
    developer,
    connected,
    hailed,
    opinion,
    judgements,
    hailText,
  }
}
