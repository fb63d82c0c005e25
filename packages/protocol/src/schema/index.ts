export * from './leaves.ts'
export { decodeWith, encodeWith, type RecordOf, record, type Schema, type Value } from './record.ts'
