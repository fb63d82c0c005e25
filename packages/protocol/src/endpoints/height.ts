import { count, optional } from '../schema/leaves.ts'
import { record } from '../schema/record.ts'
import { defineEndpoint } from './define-endpoint.ts'

/** `GET /height`: height of the open key block; the member is absent at height 0. */
export const heightEndpoint = defineEndpoint({ path: '/height', answer: record({ height: optional(count) }) })
