export * from './agent-info.ts'
export * from './balance.ts'
export * from './block-transaction.ts'
export * from './blocks.ts'
export {
  decodeQuery,
  defineEndpoint,
  definePost,
  defineText,
  type Endpoint,
  encodeQuery,
  maybe,
  type Parameter,
  type ParameterKinds,
  type Parameters,
  type QueryOf,
  required,
} from './define-endpoint.ts'
export * from './explorer-blocks.ts'
export * from './explorer-tokens.ts'
export * from './figures.ts'
export * from './health.ts'
export * from './height.ts'
export * from './histories.ts'
export type { HistoryPage } from './history.ts'
export * from './holdings.ts'
export * from './macroblocks.ts'
export * from './microblock.ts'
export * from './microblock-header.ts'
export * from './miners-online.ts'
export * from './network.ts'
export * from './network-info.ts'
export * from './records-of-hash.ts'
export * from './rewards.ts'
export * from './search.ts'
export * from './stake-limits.ts'
export * from './stake-pools.ts'
export * from './tokens.ts'
export * from './transactions.ts'
