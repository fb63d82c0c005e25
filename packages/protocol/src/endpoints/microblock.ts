import { list, optional } from '../schema/leaves.ts'
import { record, type Value } from '../schema/record.ts'
import { blockTransaction } from './block-transaction.ts'
import { defineEndpoint, required } from './define-endpoint.ts'
import { microblockHeader } from './microblock-header.ts'

/** `GET /mblock`: without header if the microblock is unknown or not calculated. */
export const microblockEndpoint = defineEndpoint({
  path: '/mblock',
  parameters: { hash: required('hash', 'hash') },
  answer: record({ transactions: list(blockTransaction), header: optional(microblockHeader) }),
})

/** A microblock with its transactions; `header` is missing if it is unknown or not calculated. */
export type MicroblockAnswer = Value<typeof microblockEndpoint.answer>
