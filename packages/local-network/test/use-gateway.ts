import { type Address, parsePrivateKey } from '@hailstone/protocol'
import { afterAll, beforeAll } from 'vitest'
import type { CalculatedMacroblock } from '../src/chain/calculated-macroblock.ts'
import { type QuickNetwork, quickNetwork } from './quick-network.ts'
import { type RawMiner, rawMiner } from './raw-miner.ts'
import { until } from './until.ts'

/** The microblocks of a macroblock that the miner published. */
export const minedBy = ({ macroblock }: CalculatedMacroblock, miner: RawMiner) =>
  macroblock.microblocks.filter(({ publisher }) => publisher === miner.address)

/** A network for the tests of a file, and miners that connect to its gateway. */
export function useGateway() {
  let running: QuickNetwork | undefined
  let miners: RawMiner[] = []
  beforeAll(async () => {
    running = await quickNetwork()
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
