import { parentPort, workerData } from 'node:worker_threads'
import { startLocalNetwork } from '@hailstone/local-network'

// A local network in a thread of its own: the coverage of the thread that uses it has none of its functions.
const network = await startLocalNetwork(workerData)
const { apiUrl, gatewayUrl, accounts } = network
parentPort.postMessage({ apiUrl, gatewayUrl, accounts })
parentPort.once('message', async () => {
  await network.stop()
  parentPort.close()
})
