export * from './leaves.ts'
export { decodeWith, encodeWith, record, type Schema, type Value } from './record.ts'
