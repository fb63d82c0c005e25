export * from './leaves.ts'
export {
  decodeWith,
  encodeWith,
  isWireObject,
  type RecordOf,
  record,
  type Schema,
  type Value,
} from './record.ts'
