/** A network in a process of its own, so that its CPU time is nobody else's. */
import { type LocalNetwork, startLocalNetwork } from '@hailstone/local-network'
import type { Address } from '@hailstone/protocol'
import { answerParent } from '../child.ts'

const LONG_MS = 3_600_000
let network: LocalNetwork | undefined

const running = (): LocalNetwork => {
  if (network === undefined) throw new Error('the network was not started')
  return network
}

answerParent({
  start: async (given: { folder?: string; database?: string; seed?: string; blockTimeMs?: number }) => {
    const { folder, database, seed = 'benchmark', blockTimeMs = LONG_MS } = given
    network = await startLocalNetwork({
      seed,
      dataDirectory: folder,
      database,
      blockTimeMs,
      keepAlive: true,
    })
    const { apiUrl, gatewayUrl, accounts } = network
    const [developer] = accounts.developers
    return {
      apiUrl,
      gatewayUrl,
      accounts: accounts.developers.map(({ address, privateKey }) => ({ address, privateKey })),
      address: developer?.address,
      privateKey: developer?.privateKey,
    }
  },
  mine: async ({ count }: { count: number }) => {
    await running().control.pause()
    const before = process.cpuUsage()
    await running().control.mine(count)
    const { user, system } = process.cpuUsage(before)
    return { cpuMs: (user + system) / 1_000 }
  },
  cpu: () => {
    const { user, system } = process.cpuUsage()
    return (user + system) / 1_000
  },
  balance: ({ address }: { address: Address }) => String(running().balance(address)),
  miners: () => running().gateway.minersOnline().length,
  stop: () => network?.stop(),
})
