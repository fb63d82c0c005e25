import type { MiningNode } from '@hailstone/mining-node'

/** Sum of what a node earned since this was called, in units. A reward that the chain takes back is taken back here. */
export type Earnings = { readonly units: () => bigint; readonly stop: () => void }

export function countEarnings(node: Pick<MiningNode, 'on'>): Earnings {
  let sum = 0n
  const unsubscribe = [
    node.on('rewarded', ({ amount }) => {
      sum += amount
    }),
    node.on('reverted', ({ amount }) => {
      sum -= amount
    }),
  ]
  return { units: () => sum, stop: () => unsubscribe.forEach((end) => void end()) }
}
