import { describe, expect, it } from 'vitest'
import { chosenNetwork, clientOf } from './chosen-network.ts'
import { UsageError } from './usage-error.ts'

const environment = {}
const strict = { requireEncryption: true }

describe('S-7: --require-encryption', () => {
  it.each([
    ['a gateway of the internet', { gateway: ['ws://gateway.example:3000'] }, 'ws://gateway.example:3000'],
    ['the second of two gateways', { gateway: ['wss://a.example', 'ws://10.0.0.2'] }, 'ws://10.0.0.2'],
    ['an API, allowed or not', { api: ['http://api.example'], allowInsecure: true }, 'http://api.example'],
    ['a gateway with an international name', { gateway: ['ws://шахта.example'] }, 'ws://xn--'],
    ['the gateway of a public network', { network: 'pulse' }, 'ws://'],
  ])('refuses %s', (_, given, named) => {
    expect(() => chosenNetwork({ ...given, ...strict }, { environment })).toThrow(UsageError)
    expect(() => chosenNetwork({ ...given, ...strict }, { environment })).toThrow(named)
    expect(chosenNetwork(given, { environment }).requireEncryption).toBe(false)
  })

  it('refuses what the environment names as well, and repeats no credentials', () => {
    const refused = () =>
      chosenNetwork(strict, { environment: { HAILSTONE_GATEWAY: 'ws://me:hunter2@gateway.example' } })
    expect(refused).toThrow(/ws:\/\/gateway\.example is not encrypted/)
    expect(refused).not.toThrow(/hunter2/)
  })

  it('takes what is encrypted, and this machine', async () => {
    const given = { api: ['https://api.example', 'http://127.0.0.1:4410'], gateway: ['wss://a.example'] }
    const chosen = chosenNetwork({ ...given, ...strict }, { environment })
    expect(chosen).toMatchObject({ apiUrls: given.api, gatewayUrls: given.gateway, requireEncryption: true })
    await clientOf(chosen).close()
    expect(chosenNetwork({ network: 'local', ...strict }, { environment }).network?.name).toBe('local')
  })
})
