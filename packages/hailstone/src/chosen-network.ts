import { type Client, createClient, type Network, networks } from '@hailstone/client'
import { ZERO_TOKEN_ID } from '@hailstone/protocol'
import { parseWord } from './option-values.ts'
import type { Terminal } from './terminal.ts'
import { UsageError } from './usage-error.ts'

export type NetworkOptions = {
  readonly network?: string | undefined
  readonly api?: readonly string[] | undefined
  readonly gateway?: readonly string[] | undefined
  readonly allowInsecure?: boolean | undefined
}

/** What `hailstone-network` listens on unless told otherwise. */
const local: Network = {
  name: 'local',
  apiUrl: 'http://127.0.0.1:4410/api/v1',
  gatewayUrl: 'ws://127.0.0.1:4411',
  nativeTokenId: ZERO_TOKEN_ID,
  nativeSymbol: 'DEV',
  nativeDecimals: 10,
  originHash: 'DEVGENESIS',
}

const presets = { ...networks, local }

/** Where a command works. */
export type ChosenNetwork = {
  readonly network: Network | undefined
  readonly apiUrls: readonly string[]
  /** Empty when none is known. */
  readonly gatewayUrls: readonly string[]
  readonly allowInsecure: boolean
}

const NONE =
  'Say where: --network pulse, bit or local, or --api and --gateway. There is no default, so that nobody mines on the main network by mistake.'

const wordsOf = (text: string | undefined): readonly string[] => (text ?? '').split(/[\s,]+/).filter(Boolean)

/** Reads options, then the environment; options win one by one. */
export function chosenNetwork(
  given: NetworkOptions,
  { environment }: Pick<Terminal, 'environment'>,
): ChosenNetwork {
  const name = given.network ?? environment.HAILSTONE_NETWORK
  const network =
    name === undefined ? undefined : presets[parseWord('--network', name, ['pulse', 'bit', 'local'] as const)]
  const apis = given.api ?? wordsOf(environment.HAILSTONE_API)
  const gateways = given.gateway ?? wordsOf(environment.HAILSTONE_GATEWAY)
  const apiUrls = apis.length > 0 || network === undefined ? apis : [network.apiUrl]
  const gatewayUrls = gateways.length > 0 || network === undefined ? gateways : [network.gatewayUrl]
  if (apiUrls.length === 0 && gatewayUrls.length === 0) throw new UsageError(NONE)
  return { network, apiUrls, gatewayUrls, allowInsecure: given.allowInsecure === true }
}

/** @throws {UsageError} when no API is known */
export function clientOf({ network, apiUrls, allowInsecure }: ChosenNetwork): Client {
  const [apiUrl] = apiUrls
  if (apiUrl === undefined)
    throw new UsageError('This command asks the API: name it with --api or --network.')
  return createClient({ network, apiUrls, allowInsecure })
}
