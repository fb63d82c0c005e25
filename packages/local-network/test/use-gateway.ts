import { type Address, parsePrivateKey } from '@hailstone/protocol'
import { afterAll, beforeAll, describe } from 'vitest'
import type { CalculatedMacroblock } from '../src/chain/calculated-macroblock.ts'
import { describePostgresByNight } from './engines.ts'
import { type QuickNetwork, quickNetwork } from './quick-network.ts'
import { type RawMiner, rawMiner } from './raw-miner.ts'
import { until } from './until.ts'

/** The microblocks of a macroblock that the miner published. */
export const minedBy = ({ macroblock }: CalculatedMacroblock, miner: RawMiner) =>
  macroblock.microblocks.filter(({ publisher }) => publisher === miner.address)

/** Runs the same tests at the gateway of one process, and at that of a process that follows another one. */
export function describeGateways(
  claim: string,
  tests: (gateway: ReturnType<typeof useGateway>) => void,
): void {
  describe(claim, () => tests(useGateway()))
  describePostgresByNight(`${claim}, at a process that follows`, (server) =>
    tests(useGateway(async () => startFollower(await server().createDatabase()))),
  )
}

/** Chain and pool of the process that leads, with the gateway of the one that follows it. */
export async function startFollower(
  database: string,
  changes: Parameters<typeof quickNetwork>[0] = {},
): Promise<QuickNetwork> {
  const leader = await quickNetwork({ ...changes, database })
  const follower = await quickNetwork({ ...changes, database })
  return {
    ...leader,
    gateway: follower.gateway,
    url: follower.url,
    async [Symbol.asyncDispose]() {
      await follower[Symbol.asyncDispose]()
      await leader[Symbol.asyncDispose]()
    },
  }
}

/** A network for the tests around it, and miners that connect to its gateway. */
export function useGateway(start: () => Promise<QuickNetwork> = quickNetwork) {
  let running: QuickNetwork | undefined
  let miners: RawMiner[] = []
  beforeAll(async () => {
    running = await start()
  })
  afterAll(() => running?.[Symbol.asyncDispose]())

  function network(): QuickNetwork {
    if (running === undefined) throw new Error('the network is not running yet')
    return running
  }

  /** A miner with one of the funded keys; hung up after the test. */
  async function developer(number: number, token?: string): Promise<RawMiner> {
    const account = network().genesis.accounts.developers[number]
    if (account === undefined) throw new Error('there are five developers')
    return connect(account.privateKey, token)
  }

  async function connect(privateKey: string, token?: string): Promise<RawMiner> {
    const key = parsePrivateKey(privateKey)
    const miner = await rawMiner(
      network().url,
      token === undefined ? { privateKey: key } : { privateKey: key, token },
    )
    miners.push(miner)
    return miner
  }

  async function hungUp(): Promise<void> {
    for (const miner of miners) miner.close()
    await Promise.all(miners.map(({ closed }) => closed))
    miners = []
    await until(() => network().gateway.minersOnline().length === 0)
  }

  const balance = (address: Address, tokenId = network().genesis.tokens.native.id): bigint =>
    network().ledger.balance(address, tokenId) ?? 0n

  /** Waits until the open macroblock has a microblock of the miner, then closes it. */
  async function closeWith(miner: RawMiner): Promise<CalculatedMacroblock> {
    await until(() =>
      (network().producer.openMacroblock()?.microblocks ?? []).some(
        ({ publisher }) => publisher === miner.address,
      ),
    )
    const calculated = await network().producer.closeNow()
    if (calculated === null) throw new Error('should be closed')
    return calculated
  }

  return {
    get network() {
      return network()
    },
    developer,
    connect,
    hungUp,
    balance,
    closeWith,
  }
}
