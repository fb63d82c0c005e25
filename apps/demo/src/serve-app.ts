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
  // The coin that the faucet gives: whoever begins with nothing is one press away from mining. And whoever looks at
  // night or on a cable should see it mine, too.
  const { id: hash, symbol: ticker, decimals } = tokens.native
  const flags = { token: { hash, ticker, decimals }, mining: { wifiOnly: false, quietHours: null } }
  return serveBrand({ ...shared, flags })
}
