import { startLocalNetwork } from '@hailstone/local-network'
import { isNodeError } from '@hailstone/protocol'
import { expect, expectTypeOf, it } from 'vitest'
import { defineNetwork } from './define-network.ts'
import type { ClientNetwork, Network } from './network.ts'
import { createClient } from './node.ts'

const given = { name: 'acme', apiUrl: 'https://api.acme.example/api/v1' }

it('returns a network that a client takes', async () => {
  await using local = await startLocalNetwork({ seed: 'defined' })
  const { apiUrl, gatewayUrl } = local
  const network = defineNetwork({ name: 'mine', apiUrl, gatewayUrl, nativeSymbol: 'DEV' })
  expectTypeOf(network).toExtend<Network>()
  expectTypeOf(network.name).toEqualTypeOf<'mine'>()
  await using client = createClient({ network })
  expect(await client.getHeight()).toBe(local.height())
})

it('leaves out the gateway of a network that is only asked', () => {
  const network = defineNetwork(given)
  expectTypeOf(network).toExtend<ClientNetwork>()
  expectTypeOf(network).not.toExtend<Network>()
  expect(network).toMatchObject({ ...given, nativeTokenId: '0'.repeat(64), nativeDecimals: 10 })
  expect(network.gatewayUrl).toBeUndefined()
})

it.each([
  [{ name: '' }, 'CONFIGURATION_INVALID', 'name'],
  [{ apiUrl: 'api.acme.example' }, 'URL_REFUSED', 'no scheme'],
  [{ apiUrls: ['ftp://acme.example'] }, 'URL_REFUSED', 'ftp'],
  [{ gatewayUrl: 'https://acme.example' }, 'CONFIGURATION_INVALID', 'gatewayUrl'],
  [{ gatewayUrls: ['wss://'] }, 'CONFIGURATION_INVALID', 'gatewayUrls'],
  [{ bootNodeUrls: ['acme.example:4000'] }, 'CONFIGURATION_INVALID', 'bootNodeUrls'],
  [{ gatewayUrl: 'ws://user:hunter2@acme.example' }, 'CONFIGURATION_INVALID', 'credentials in the address'],
  [{ gatewayUrl: 'http://user:hunter2@acme.example' }, 'CONFIGURATION_INVALID', 'credentials in the address'],
  [{ bootNodeUrls: ['user:hunter2@acme.example'] }, 'CONFIGURATION_INVALID', 'bootNodeUrls'],
  [{ gatewayUrl: ' ws://acme.example' }, 'CONFIGURATION_INVALID', 'gatewayUrl'],
  [{ nativeTokenId: 'ACME' }, 'TOKEN_ID_MALFORMED', 'ACME'],
  [{ nativeDecimals: 11 }, 'CONFIGURATION_INVALID', 'nativeDecimals'],
  [{ genesisAddress: '11' }, 'ADDRESS_MALFORMED', ''],
])('refuses %j with %s', (wrong, code, named) => {
  let error: unknown
  try {
    defineNetwork({ ...given, ...wrong })
  } catch (thrown) {
    error = thrown
  }
  expect(isNodeError(error) && error.code).toBe(code)
  expect(String(error)).toContain(named)
  expect(JSON.stringify(error) + String(error)).not.toMatch(/hunter2|user:/)
})
