export * from './account.ts'
export * from './blocks.ts'
export {
  decodeQuery,
  defineEndpoint,
  definePost,
  type Endpoint,
  encodeQuery,
  type Parameter,
  type ParameterKinds,
  type Parameters,
  type QueryOf,
} from './define-endpoint.ts'
export * from './histories.ts'
export * from './network.ts'
export * from './tokens.ts'
export * from './transactions.ts'
