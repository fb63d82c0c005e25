import { createClient, defineNetwork } from '@hailstone/client'

export const acme = defineNetwork({
  name: 'acme',
  apiUrl: 'https://api.acme.example/api/v1',
  gatewayUrl: 'wss://gateway.acme.example',
  nativeTokenId: '1'.padStart(64, '0'),
  nativeSymbol: 'ACME',
})

export const client = createClient({ network: acme })
