import { routeListEndpoint } from '@hailstone/protocol'
import type { ApiParts } from '../api-parts.ts'
import { API_PREFIX, type Route, route } from '../route.ts'
import { accountRoutes } from './accounts.ts'
import { blockRoutes } from './blocks.ts'
import { explorerRoutes } from './explorer.ts'
import { faucetRoutes } from './faucet.ts'
import { figureRoutes } from './figures.ts'
import { healthRoutes } from './health.ts'
import { historyRoutes } from './histories.ts'
import { networkRoutes } from './network.ts'
import { searchRoutes } from './search.ts'
import { stakeRoutes } from './stakes.ts'
import { tokenRoutes } from './tokens.ts'
import { transactionRoutes } from './transactions.ts'

const describedRoutes = (parts: ApiParts): readonly Route[] => [
  ...blockRoutes(parts),
  ...transactionRoutes(parts),
  ...accountRoutes(parts),
  ...historyRoutes(parts),
  ...tokenRoutes(parts),
  ...networkRoutes(parts),
  ...stakeRoutes(parts),
  ...explorerRoutes(parts),
  ...searchRoutes(parts),
  ...figureRoutes(parts),
  ...healthRoutes(parts),
  ...faucetRoutes(parts),
]

/** Every route of the API, in the order a reader learns them, and the list of them. */
export function apiRoutes(parts: ApiParts): readonly Route[] {
  const routes = describedRoutes(parts)
  const paths = [...routes.map(({ endpoint }) => endpoint.path), routeListEndpoint.path]
  const listed = [...new Set(paths)].map((path) => API_PREFIX + path)
  return [...routes, route(routeListEndpoint, () => listed)]
}
