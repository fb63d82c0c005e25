import { defineEndpoint, definePost } from '@hailstone/protocol'
import * as leaves from '@hailstone/protocol/schema'
import { record } from '@hailstone/protocol/schema'

const { address, amount, anything, count, hash, list, optional, orNull, text, tokenId, yesOrNo } = leaves

const height = record({ height: count })

const fired = record({
  number: count,
  rule: count,
  name: optional(text),
  fault: text,
  on: text,
  subject: text,
  occurrence: count,
  detail: anything,
})

/** Endpoints of control by the names of its functions. */
export const controlEndpoints = {
  mine: definePost({ path: '/mine', body: record({ count: optional(count) }), answer: height }),
  setClock: definePost({
    path: '/set-clock',
    body: record({ time: optional(count), advanceMs: ['advance_ms', optional(count)] }),
    answer: record({ time: count }),
  }),
  pause: definePost({ path: '/pause', body: record({}), answer: height }),
  resume: definePost({ path: '/resume', body: record({}), answer: height }),
  fund: definePost({
    path: '/fund',
    body: record({ address, amount, tokenId: ['token', optional(tokenId)] }),
    answer: record({ hash, height: count }),
  }),
  order: definePost({
    path: '/order',
    body: record({ data: text }),
    answer: record({ hash, height: count }),
  }),
  reorganise: definePost({
    path: '/reorganise',
    body: record({ blocks: count, keepTransactions: ['keep_transactions', optional(yesOrNo)] }),
    answer: height,
  }),
  snapshot: definePost({ path: '/snapshot', body: record({}), answer: record({ id: text }) }),
  revert: definePost({ path: '/revert', body: record({ id: text }), answer: height }),
  forgetPool: definePost({ path: '/forget-pool', body: record({}), answer: record({ count }) }),
  outage: definePost({
    path: '/outage',
    body: record({
      of: text,
      durationMs: ['duration_ms', count],
      closeCode: ['close_code', optional(count)],
    }),
    answer: record({}),
  }),
  /** The script itself; it is checked where scripts are. */
  setFaults: definePost({ path: '/faults', body: anything, answer: record({ rules: count }) }),
  faults: defineEndpoint({
    path: '/faults',
    answer: record({ script: orNull(anything), fired: list(fired) }),
  }),
  state: defineEndpoint({
    path: '/state',
    answer: record({
      height: count,
      keyBlockHash: ['kblock_hash', hash],
      time: count,
      isPaused: ['paused', yesOrNo],
      branch: count,
      pendingTransactions: ['pending', count],
      minersOnline: ['miners', count],
      snapshots: list(text),
    }),
  }),
}
