export { encodeWith } from './encode-with.ts'
export * from './leaves.ts'
export {
  decodeWith,
  isWireObject,
  type RecordOf,
  record,
  type Schema,
  type Value,
} from './record.ts'
export { type StandardSchema, toStandardSchema } from './standard-schema.ts'
