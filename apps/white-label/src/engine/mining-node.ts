export { createMiningNode } from '@hailstone/mining-node'
