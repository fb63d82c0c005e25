import { NodeError, parseAddress, parseTokenId, written } from '@hailstone/protocol'
import { canParseUrl } from '@hailstone/runtime'
import type { ClientNetwork, Network } from './network.ts'
import { parseApiUrl } from './transport/api-url.ts'

/** Parameters of a network as a person writes them: ids and addresses are text. */
export type DefineNetworkParameters = {
  /** Shown to people and kept beside data of the network. */
  readonly name: string
  /** Base of the API, such as `https://api.acme.example/api/v1`. */
  readonly apiUrl: string
  /** Bases of more nodes of the same API. @default none */
  readonly apiUrls?: readonly string[] | undefined
  /** @default none: the network can be asked, not mined */
  readonly gatewayUrl?: string | undefined
  /** `ws:` or `wss:` addresses of more gateways of the same network. @default none */
  readonly gatewayUrls?: readonly string[] | undefined
  /** `ws:` or `wss:` addresses of boot nodes, each of which names a gateway. @default none */
  readonly bootNodeUrls?: readonly string[] | undefined
  /**
   * 64 hexadecimal digits. `GET /native_token` wins over it. It stands in for servers that are too old for that endpoint.
   * @default 64 zeros, and no payment in them where the network does not say which token is native
   */
  readonly nativeTokenId?: string | undefined
  /** @default ENQ */
  readonly nativeSymbol?: string | undefined
  /** 0 to 10. @default 10 */
  readonly nativeDecimals?: number | undefined
  /** True if its nodes take `+` and `=` in memos. @default false */
  readonly takesNewerData?: boolean | undefined
  /** Name of key block 0, by which another chain is noticed. @default any */
  readonly originHash?: string | undefined
  /** Receiver of contracts: 02 or 03 and 64 hex digits. @default as the network says */
  readonly genesisAddress?: string | undefined
  /** Key under which leaders sign, or the name of a known one. @default none: leaders are not verified */
  readonly masterPublicKey?: Network['masterPublicKey']
}

/** A network with its name as a literal type; it can be mined if a gateway was given. */
export type DefinedNetwork<P extends DefineNetworkParameters> = (P extends {
  /** The gateway that was given. */
  readonly gatewayUrl: string
}
  ? Network
  : ClientNetwork) & {
  /** The name that was given, as its literal type. */
  readonly name: P['name']
}

const MAX_DECIMALS = 10

/**
 * Checks the parameters of a network and returns it, for `createClient`, `createMiningNode` and everything else that
 * takes one. No address is asked.
 *
 * @throws {NodeError} `CONFIGURATION_INVALID` with the path of the parameter; `ADDRESS_MALFORMED`, `TOKEN_ID_MALFORMED`,
 *   `URL_REFUSED` for an API with a name and password, or without https on another machine. No error repeats credentials
 * @example
 * const network = defineNetwork({
 *   name: 'acme',
 *   apiUrl: 'https://api.acme.example/api/v1',
 *   gatewayUrl: 'wss://gateway.acme.example',
 *   nativeTokenId: '1'.padStart(64, '0'),
 *   nativeSymbol: 'ACME',
 * })
 */
export function defineNetwork<const P extends DefineNetworkParameters>(parameters: P): DefinedNetwork<P> {
  const given = Object(parameters) as P
  const { name, apiUrl, apiUrls = [], gatewayUrl, gatewayUrls = [], bootNodeUrls = [] } = given
  const { nativeTokenId = '0'.repeat(64), nativeSymbol = 'ENQ', nativeDecimals = MAX_DECIMALS } = given
  const { genesisAddress, takesNewerData = false } = given
  if (typeof name !== 'string' || name === '') throw refused('name', 'a text', name)
  for (const url of [apiUrl, ...apiUrls]) parseApiUrl(url)
  for (const [path, urls] of Object.entries({
    gatewayUrl: [gatewayUrl ?? []].flat(),
    gatewayUrls,
    bootNodeUrls,
  }))
    for (const url of urls) assertSocketUrl(path, url)
  if (!Number.isInteger(nativeDecimals) || nativeDecimals < 0 || nativeDecimals > MAX_DECIMALS)
    throw refused('nativeDecimals', `a whole number from 0 to ${MAX_DECIMALS}`, nativeDecimals)
  if (typeof takesNewerData !== 'boolean') throw refused('takesNewerData', 'true or false', takesNewerData)
  const network = {
    ...parameters,
    nativeTokenId: parseTokenId(nativeTokenId),
    isNativeTokenAssumed: given.nativeTokenId === undefined,
    nativeSymbol,
    nativeDecimals,
    genesisAddress: genesisAddress === undefined ? undefined : parseAddress(genesisAddress),
  }
  return network as unknown as DefinedNetwork<P>
}

/** Names what was found by its scheme alone: the rest may hold a password. */
function assertSocketUrl(path: string, text: string): void {
  const expected = 'an address that begins with ws:// or wss://'
  if (typeof text !== 'string' || !canParseUrl(text)) throw refused(path, expected, 'no address')
  const { protocol, username, password } = new URL(text)
  if (username + password !== '') throw refused(path, expected, 'credentials in the address')
  if (!/^wss?:\/\//i.test(text))
    // Without slashes, what stands before the colon may be the name of a user.
    throw refused(path, expected, /^[a-z]+:\/\//i.test(text) ? protocol : 'no address')
}

const refused = (path: string, expected: string, found: unknown): NodeError =>
  new NodeError('CONFIGURATION_INVALID', { path, expected, found: written(found) })
