import type { TransportAnswer } from '@hailstone/client'
import { type parseJson, stringifyJson, type TransactionFields } from '@hailstone/protocol'
import type { Mutation } from '../src/mutation.ts'
import { payer } from '../src/world/accounts.ts'
import { postedTransaction } from '../src/world/mempool.ts'
import { everyRequest } from './every-request.ts'

/** Planted faults of programs that pay. */
export const paymentMutations: readonly Mutation[] = [
  {
    name: 'a journal that calls stored what it will only store in a moment',
    journal: (store, { clock }) => ({
      ...store,
      append: async (json, options) => {
        void clock
          .sleep(300)
          .then(() => store.append(json, options))
          .catch(() => undefined)
      },
    }),
  },
  {
    name: 'a journal that is forgotten by a restart',
    shownBy: 17,
    journal: (store) => ({
      ...store,
      read: async () => ({ records: [], damagedRecords: 0, tornBytes: 0 }),
    }),
  },
  {
    name: 'a payment that is signed anew whenever it is sent again',
    transport: (transport) => {
      const sent = new Map<string, number>()
      return everyRequest(transport, (request, send) => {
        const transaction = request.method === 'POST' ? postedTransaction(request.body ?? '') : null
        if (transaction === null) return send(request)
        const times = sent.get(transaction.data) ?? 0
        sent.set(transaction.data, times + 1)
        if (times === 0) return send(request)
        const { signature: _, ...fields } = transaction
        return send({ ...request, body: bodyOf({ ...fields, nonce: fields.nonce + times }) })
      })
    },
  },
  {
    name: 'a pool that is read from memory for ten minutes',
    shownBy: 12,
    transport: (transport, { clock }) => {
      const kept = new Map<string, { readonly atMs: number; readonly answer: Promise<TransportAnswer> }>()
      return everyRequest(transport, (request, send) => {
        const { path, query = '' } = request
        if (!path.startsWith('/pending') && path !== '/tx') return send(request)
        const known = kept.get(path + query)
        if (known !== undefined && clock.monotonicMs() - known.atMs < 600_000) return known.answer
        const answer = send(request)
        kept.set(path + query, { atMs: clock.monotonicMs(), answer })
        return answer
      })
    },
  },
  {
    name: 'a request that carries the key',
    transport: (transport) =>
      everyRequest(transport, (request, send) => {
        const { query = '' } = request
        return send({ ...request, query: `${query}&session=${payer.canary}` })
      }),
  },
  {
    name: 'a timer that outlives the payments',
    transport: (transport, { clock }) =>
      everyRequest(transport, (request, send) => {
        void clock.sleep(3_600_000)
        return send(request)
      }),
  },
]

function bodyOf(fields: TransactionFields): string {
  const { amount, data, from, nonce, signature, tokenId, to } = payer.wallet.signTransaction(fields)
  // Members in the order of the real body, so that only the numbers differ.
  const members = { amount: String(amount), data, from, nonce, sign: signature, ticker: tokenId, to }
  return stringifyJson([members] as Parameters<typeof stringifyJson>[0] & ReturnType<typeof parseJson>)
}
