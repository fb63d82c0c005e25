import { networks } from '@hailstone/client'
import { ZERO_TOKEN_ID } from '@hailstone/protocol'

/** Name of a network preset; `custom` has no settings of its own. */
export type PresetName = 'mainnet' | 'testnet' | 'devnet' | 'custom'

/** Settings of a network preset; a brand may override each. */
export type NetworkPreset = {
  readonly api: string
  readonly poa: readonly string[]
  readonly faucet: string | null
  readonly nativeToken: string
}

/** Network presets (PROTOCOL 9.1); `devnet` is the local network on the ports of `npm start`. */
export const networkPresets: Readonly<Record<Exclude<PresetName, 'custom'>, NetworkPreset>> = {
  mainnet: {
    api: networks.pulse.apiUrl,
    poa: [networks.pulse.gatewayUrl],
    faucet: null,
    nativeToken: networks.pulse.nativeTokenId,
  },
  testnet: {
    api: networks.bit.apiUrl,
    poa: [networks.bit.gatewayUrl],
    faucet: 'https://faucet-bit.enecuum.com/',
    nativeToken: networks.bit.nativeTokenId,
  },
  devnet: {
    api: 'http://127.0.0.1:4410/api/v1',
    poa: ['ws://127.0.0.1:4411'],
    faucet: 'http://127.0.0.1:4410/api/v1/faucet',
    nativeToken: ZERO_TOKEN_ID,
  },
}
