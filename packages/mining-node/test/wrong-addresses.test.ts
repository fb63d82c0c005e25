import { createWallet } from '@hailstone/client'
import { startLocalNetwork } from '@hailstone/local-network'
import { expect, it } from 'vitest'
import { createMiningNode } from '../src/node.ts'
import { until } from './until.ts'

/** Returns the first sentences in which a node says that it cannot mine. */
async function firstTrouble(addresses: { readonly gatewayUrl: string; readonly apiUrl?: string }) {
  await using node = createMiningNode({ wallet: createWallet(), ...addresses })
  await node.start()
  await until(
    () => node.state.status === 'waiting' && /HTTP status|answered/.test(node.state.why),
    'it says why it waits',
  )
  return node.state
}

it('says that an address of a gateway may be one of an API, and the other way round', async () => {
  await using network = await startLocalNetwork({ seed: 'swapped' })
  const { apiUrl, gatewayUrl } = network
  const isApi = { nextStep: 'Check the address of the gateway and the network. This one may be an API.' }
  expect(await firstTrouble({ gatewayUrl: apiUrl.replace('http', 'ws') })).toMatchObject({
    why: 'no gateway at this address: HTTP status 404',
    ...isApi,
  })
  expect(await firstTrouble({ gatewayUrl: new URL('/', apiUrl).href.replace('http', 'ws') })).toMatchObject({
    why: 'no gateway at this address: HTTP status 200',
    ...isApi,
  })
  const asked = gatewayUrl.replace('ws', 'http')
  expect(await firstTrouble({ gatewayUrl, apiUrl: asked })).toMatchObject({
    why: expect.stringContaining(`answered 426 to ${asked}/native_token. This is a gateway`),
  })
})
