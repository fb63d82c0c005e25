import { count, only, orNull, text, yesOrNo } from '../schema/leaves.ts'
import { record, type Schema, type Value } from '../schema/record.ts'
import { defineEndpoint } from './define-endpoint.ts'

const state: Schema<'ok' | 'stuck'> = only('ok', 'stuck')

/** `GET /health` of a local network: HTTP 503 if macroblocks cannot be closed or the store does not answer. */
export const healthEndpoint = defineEndpoint({
  path: '/health',
  answer: record({
    state: ['status', state],
    height: orNull(count),
    lastBlockAgeMs: ['last_block_age_ms', orNull(count)],
    minersOnline: ['miners_online', count],
    pendingCount: ['pending', count],
    isStoreOk: ['store', yesOrNo],
    reason: orNull(text),
    readCopy: ['read_copy', orNull(text)],
    leaderLine: ['leader_line', orNull(text)],
  }),
})

/** State of a local network, the answer of `GET /health`. Ages are in ms. */
export type Health = Value<typeof healthEndpoint.answer>
