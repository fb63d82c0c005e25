import type { AccountNode, AccountNodeParameters } from './account-node.ts'

/** Its code comes with the first account; that of the other kind is not in this build. */
export async function openAccountNode(parameters: AccountNodeParameters): Promise<AccountNode> {
  if (APP_MINES) {
    const { createMiningNode, verifyLeader } = await import('./mining-node.ts')
    return createMiningNode({ ...parameters, verifyLeader })
  }
  const { createWatchOnlyNode } = await import('./watch-only-node.ts')
  return createWatchOnlyNode(parameters)
}
