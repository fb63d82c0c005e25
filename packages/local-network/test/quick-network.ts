import { systemClock } from '../src/clock.ts'
import { silentLogger } from '../src/logger.ts'
import { type OpenNetwork, type OpenNetworkParameters, openNetwork } from '../src/open-network.ts'

export type QuickNetwork = OpenNetwork & AsyncDisposable & { readonly url: string }

/** A network without its HTTP part, in memory, that closes macroblocks when the test says so. */
export async function quickNetwork(changes: Partial<OpenNetworkParameters> = {}): Promise<QuickNetwork> {
  const network = await openNetwork({
    dataDirectory: undefined,
    reset: false,
    seed: 'quick',
    blockTimeMs: 3_600_000,
    keepAlive: true,
    fallbackMiner: true,
    emptyMacroblocks: false,
    faucetWaitMs: 10_000,
    gateway: {
      feederIntervalMs: 10,
      beaconIntervalMs: 10,
      pendingTimeoutMs: 200,
      watchdogMs: 3_600_000,
      ...changes.gateway,
    },
    clock: systemClock,
    logger: silentLogger,
    ...Object.fromEntries(Object.entries(changes).filter(([name]) => name !== 'gateway')),
  })
  const { port } = await network.gateway.listen({ host: '127.0.0.1', port: 0 })
  network.leader.start()
  const line = await network.lines?.listen('127.0.0.1')
  await network.cluster.join(line === undefined ? null : { host: '127.0.0.1', port: line.port })
  network.producer.start()
  return {
    ...network,
    url: `ws://127.0.0.1:${port}`,
    async [Symbol.asyncDispose]() {
      network.leader.stop()
      await network.lines?.close()
      await network.gateway.stop()
      await network.producer.stop()
      await network.cluster.leave()
      await network.store.close()
    },
  }
}
