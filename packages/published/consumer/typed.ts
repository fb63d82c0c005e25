import { createClient } from '@hailstone/client'
import {
  type Amount,
  createMiningNode,
  createWallet,
  formatAmount,
  isNodeError,
  type MiningNode,
} from '@hailstone/mining-node'
import { createFleet, type Fleet } from '@hailstone/mining-node/fleet'

export function mine(apiUrl: string, gatewayUrl: string): MiningNode {
  const node = createMiningNode({ wallet: createWallet(), client: createClient({ apiUrl }), gatewayUrl })
  node.on('rewarded', ({ amount, height }) => {
    const units: Amount = amount
    const at: number | null = height
    return [formatAmount(units, { decimals: 10 }), at]
  })
  // @ts-expect-error no such event
  node.on('nothing', () => undefined)
  return node
}

export const fleetOf = (keys: readonly string[], apiUrl: string): Fleet =>
  createFleet({ keys, client: createClient({ apiUrl }) })

export const codeOf = (error: unknown): string | undefined => (isNodeError(error) ? error.code : undefined)
