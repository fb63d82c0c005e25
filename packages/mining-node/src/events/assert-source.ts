import { assertArgument } from '@hailstone/protocol'

/** @throws {NodeError} `ARGUMENT_INVALID` for what no events come from */
export const assertSource = (node: { readonly on: unknown }): void =>
  assertArgument(typeof node?.on === 'function', 'node', 'a mining node, of createMiningNode()', node)
