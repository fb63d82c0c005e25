import {
  type Client,
  type CreateClientParameters,
  createClient,
  type Network,
  networks,
} from '@hailstone/client'
import { canParseUrl, isLoopbackHost } from '@hailstone/runtime'
import { parseWord } from './option-values.ts'
import type { Terminal } from './terminal.ts'
import { UsageError } from './usage-error.ts'

export type NetworkOptions = {
  readonly network?: string | undefined
  readonly api?: readonly string[] | undefined
  readonly gateway?: readonly string[] | undefined
  readonly bootNode?: readonly string[] | undefined
  readonly allowInsecure?: boolean | undefined
  readonly requireEncryption?: boolean | undefined
}

/** Network that a command works with, by its options. */
export type ChosenNetwork = {
  readonly network: Network | undefined
  readonly apiUrls: readonly string[]
  /** Empty when none is known. */
  readonly gatewayUrls: readonly string[]
  /** Each names a gateway. */
  readonly bootNodeUrls: readonly string[]
  readonly allowInsecure: boolean
  readonly requireEncryption: boolean
}

const NONE =
  'Say where: --network pulse, bit or local, or --api and --gateway. There is no default, so that nobody mines on the main network by mistake.'

const wordsOf = (text: string | undefined): readonly string[] => (text ?? '').split(/[\s,]+/).filter(Boolean)

function assertEncrypted(urls: readonly string[]): void {
  for (const url of urls) {
    // What is no address is refused where it is used, with a reason of its own.
    if (!canParseUrl(url)) continue
    const { protocol, hostname, host } = new URL(url)
    if (/^(?:http|ws):$/.test(protocol) && !isLoopbackHost(hostname))
      throw new UsageError(
        `--require-encryption: ${protocol}//${host} is not encrypted. Use an address that begins with ${protocol.slice(0, -1)}s://.`,
      )
  }
}

/** Reads options, then the environment; options win one by one. */
export function chosenNetwork(
  given: NetworkOptions,
  { environment }: Pick<Terminal, 'environment'>,
): ChosenNetwork {
  const name = given.network ?? environment.HAILSTONE_NETWORK
  const network =
    name === undefined
      ? undefined
      : networks[parseWord('--network', name, ['pulse', 'bit', 'local'] as const)]
  const apis = given.api ?? wordsOf(environment.HAILSTONE_API)
  const gateways = given.gateway ?? wordsOf(environment.HAILSTONE_GATEWAY)
  const apiUrls = apis.length > 0 || network === undefined ? apis : [network.apiUrl]
  const bootNodes = given.bootNode ?? wordsOf(environment.HAILSTONE_BOOT_NODE)
  // Whoever names a gateway or a boot node means no other.
  const isNamed = gateways.length + bootNodes.length > 0 || network === undefined
  const gatewayUrls = isNamed ? gateways : [network.gatewayUrl]
  const bootNodeUrls = isNamed ? bootNodes : (network.bootNodeUrls ?? [])
  if (apiUrls.length + gatewayUrls.length + bootNodeUrls.length === 0) throw new UsageError(NONE)
  const requireEncryption = given.requireEncryption === true
  if (requireEncryption) assertEncrypted([...apiUrls, ...gatewayUrls, ...bootNodeUrls])
  const allowInsecure = given.allowInsecure === true
  return { network, apiUrls, gatewayUrls, bootNodeUrls, allowInsecure, requireEncryption }
}

/** Gateways and boot nodes. @throws {UsageError} if none is named */
export function assertGateway({ gatewayUrls, bootNodeUrls }: ChosenNetwork): void {
  if (gatewayUrls.length + bootNodeUrls.length > 0) return
  throw new UsageError('Mining needs a gateway: name it with --gateway, or a boot node with --boot-node.')
}

/** @throws {UsageError} when no API is known */
export function clientOf(
  { network, apiUrls, allowInsecure, requireEncryption }: ChosenNetwork,
  more: Pick<CreateClientParameters, 'takesNewerData'> = {},
): Client {
  const [apiUrl] = apiUrls
  if (apiUrl === undefined)
    throw new UsageError('This command asks the API: name it with --api or --network.')
  return createClient({ network, apiUrls, allowInsecure, requireEncryption, ...more })
}
