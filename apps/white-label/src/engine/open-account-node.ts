import type { AccountNode, AccountNodeParameters } from './account-node.ts'

/** Opens the node of an account. Its code is loaded on first use and differs between mining and wallet builds. */
export async function openAccountNode(parameters: AccountNodeParameters): Promise<AccountNode> {
  if (APP_MINES) {
    const { createMiningNode, verifyLeader } = await import('./mining-node.ts')
    return createMiningNode({ ...parameters, verifyLeader })
  }
  const { createWatchOnlyNode } = await import('./watch-only-node.ts')
  return createWatchOnlyNode(parameters)
}
