export * from './account.ts'
export * from './blocks.ts'
export {
  decodeQuery,
  defineEndpoint,
  definePost,
  defineText,
  type Endpoint,
  encodeQuery,
  type Parameter,
  type ParameterKinds,
  type Parameters,
  type QueryOf,
} from './define-endpoint.ts'
export * from './explorer-blocks.ts'
export * from './explorer-tokens.ts'
export * from './figures.ts'
export * from './health.ts'
export * from './histories.ts'
export * from './network.ts'
export * from './search.ts'
export * from './stake-pools.ts'
export * from './tokens.ts'
export * from './transactions.ts'
