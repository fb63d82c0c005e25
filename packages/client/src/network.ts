import type { Address, TokenId } from '@hailstone/protocol'
import { parseAddress, parseTokenId, ZERO_TOKEN_ID } from '@hailstone/protocol'
import type { MasterPublicKey, masterPublicKeys } from '@hailstone/protocol/leader'

/** Configuration of a network: everything a program needs before it can query the network itself. */
export type Network = {
  /** Shown to people and kept beside data of the network. */
  readonly name: string
  /** Base of the API, such as `https://api.acme.example/api/v1`. */
  readonly apiUrl: string
  /** More nodes of the same API. `createClient` asks them as well; a mining node without a client asks the first alone. */
  readonly apiUrls?: readonly string[] | undefined
  /** The proof-of-activity gateway. */
  readonly gatewayUrl: string
  /** More gateways of the same network. */
  readonly gatewayUrls?: readonly string[] | undefined
  /** Boot nodes: each names a gateway of the network. Asked when no gateway above answers. */
  readonly bootNodeUrls?: readonly string[] | undefined
  /** `GET /native_token` wins over it. It stands in for servers that are too old for that endpoint. */
  readonly nativeTokenId: TokenId
  /**
   * True if nobody chose `nativeTokenId`: where the network does not say which token is native, nothing is paid in it then.
   * @default false
   */
  readonly isNativeTokenAssumed?: boolean | undefined
  /** Short name of the native token. */
  readonly nativeSymbol: string
  /** Of the native token, 0 to 10. Always wins: an API that says otherwise is refused with `DECIMALS_DIFFER`. */
  readonly nativeDecimals: number
  /** Decimals of further tokens, by token id, 0 to 10. An API that says otherwise is refused likewise. */
  readonly tokenDecimals?: Readonly<Record<TokenId, number>> | undefined
  /**
   * Its nodes take `+` and `=` in the `data` of payments too, as newer ones do. Elsewhere a memo with them is
   * refused before it is signed. @default false
   */
  readonly takesNewerData?: boolean | undefined
  /** Name of key block 0; a chain that begins otherwise is another network. */
  readonly originHash?: string | undefined
  /** Receiver of contracts and owner of the native token. */
  readonly genesisAddress?: Address | undefined
  /**
   * Under which leaders sign, or the name of a key that `@hailstone/protocol/leader` knows, so that no page has to
   * carry it. Beacons of the current networks carry no leader's signature.
   */
  readonly masterPublicKey?: MasterPublicKey | keyof typeof masterPublicKeys | undefined
}

/** Network of a client. It has no gateway if only an API URL was given. */
export type ClientNetwork = Omit<Network, 'gatewayUrl'> & {
  /** The proof-of-activity gateway. Undefined for a network that is asked and not mined. */
  readonly gatewayUrl?: string | undefined
}

const pulse: Network = {
  name: 'pulse',
  apiUrl: 'https://pulse.enecuum.com/api/v1',
  gatewayUrl: 'ws://95.216.68.221:3000',
  bootNodeUrls: ['ws://bootnode.enecuum.com:4001'],
  nativeTokenId: ZERO_TOKEN_ID,
  nativeSymbol: 'ENQ',
  nativeDecimals: 10,
  originHash: 'ENQGENESIS',
  genesisAddress: /* @__PURE__ */ parseAddress(
    '02833f453fb8bf10cc5e8fd362d563851543559f3ea6e662ef114d8db8f72dda19',
  ),
  masterPublicKey: 'pulse',
}

const bit: Network = {
  name: 'bit',
  apiUrl: 'https://bit.enecuum.com/api/v1',
  gatewayUrl: 'ws://95.216.246.116:3000',
  bootNodeUrls: ['ws://bootnode.enecuum.com:4000'],
  // Older snapshots of this network used 64 zeros.
  nativeTokenId: /* @__PURE__ */ parseTokenId(/* @__PURE__ */ '1'.padStart(64, '0')),
  nativeSymbol: 'BIT',
  nativeDecimals: 10,
  originHash: 'BITGENESIS',
  genesisAddress: /* @__PURE__ */ parseAddress(
    '029dd222eeddd5c3340e8d46ae0a22e2c8e301bfee4903bcf8c899766c8ceb3a7d',
  ),
  masterPublicKey: 'bit',
}

const local: Network = {
  name: 'local',
  apiUrl: 'http://127.0.0.1:4410/api/v1',
  gatewayUrl: 'ws://127.0.0.1:4411',
  nativeTokenId: ZERO_TOKEN_ID,
  isNativeTokenAssumed: true,
  nativeSymbol: 'DEV',
  nativeDecimals: 10,
  originHash: 'DEVGENESIS',
}

/**
 * The public networks (PROTOCOL 9.1): `pulse` is the main network, `bit` the test network. `local` is the one of
 * `hailstone-network` on this machine, at its usual ports.
 */
export const networks: { readonly pulse: Network; readonly bit: Network; readonly local: Network } = {
  pulse,
  bit,
  local,
}

/** A network of which only the API is known, with the commonest parameters. */
export const networkAt = (apiUrl: string): ClientNetwork => ({
  name: 'custom',
  apiUrl,
  nativeTokenId: ZERO_TOKEN_ID,
  isNativeTokenAssumed: true,
  nativeSymbol: 'ENQ',
  nativeDecimals: 10,
})
