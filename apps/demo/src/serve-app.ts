import type { LocalNetwork } from '@hailstone/local-network'
import { serveBrand } from '@hailstone/white-label/serve'
import type { DemoOptions } from './options.mjs'

/** Serves the white-label app: with the brand that was asked for as it is, or with an example brand. */
export function serveApp(parameters: {
  readonly network: LocalNetwork
  readonly options: DemoOptions
}): ReturnType<typeof serveBrand> {
  const { network, options } = parameters
  const { apiUrl, gatewayUrl, tokens } = network
  const { appPort: port, brandFolder } = options
  const shared = { port, network: { apiUrl, gatewayUrl } }
  if (brandFolder !== undefined) return serveBrand({ ...shared, brandFolder })
  // Another seed has another token. And whoever looks at night or on a cable should see it mine, too.
  const flags = { token: { hash: tokens.mineable.id }, mining: { wifiOnly: false, quietHours: null } }
  return serveBrand({ ...shared, flags })
}
