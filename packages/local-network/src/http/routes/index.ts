import type { ApiParts } from '../api-parts.ts'
import type { Route } from '../route.ts'
import { accountRoutes } from './accounts.ts'
import { blockRoutes } from './blocks.ts'
import { faucetRoutes } from './faucet.ts'
import { historyRoutes } from './histories.ts'
import { networkRoutes } from './network.ts'
import { tokenRoutes } from './tokens.ts'
import { transactionRoutes } from './transactions.ts'

/** Every route of the API, in the order a reader learns them. */
export const apiRoutes = (parts: ApiParts): readonly Route[] => [
  ...blockRoutes(parts),
  ...transactionRoutes(parts),
  ...accountRoutes(parts),
  ...historyRoutes(parts),
  ...tokenRoutes(parts),
  ...networkRoutes(parts),
  ...faucetRoutes(parts),
]
