import type { TransportAnswer, TransportRequest } from '@hailstone/client'
import { paymentError } from '@hailstone/protocol'
import type { Mutation } from '../src/mutation.ts'
import type { PaymentHandle, Payments } from '../src/real.ts'
import { SET_UP_FOR_REAL } from '../src/scenarios/disagreement.ts'
import { everyRequest } from './every-request.ts'

/** The first answer that fits, for the life of the program. */
const fromMemory =
  (fits: (request: TransportRequest) => boolean): Mutation['transport'] =>
  (transport) => {
    const kept = new Map<string, TransportAnswer>()
    return everyRequest(transport, async (request, send) => {
      if (!fits(request)) return send(request)
      const key = `${request.path}?${request.query ?? ''}`
      const answer = kept.get(key) ?? (await send(request))
      if (answer.status < 500) kept.set(key, answer)
      return answer
    })
  }

const changed =
  (change: (answer: TransportAnswer, request: TransportRequest) => string): Mutation['transport'] =>
  (transport) =>
    everyRequest(transport, async (request, send) => {
      const answer = await send(request)
      return answer.status === 200 ? { ...answer, text: change(answer, request) } : answer
    })

const isOrigin = ({ path, query = '' }: TransportRequest): boolean =>
  path === '/macroblock_by_height' && query === 'height=0'

/** Finds a payment of a key whatever else the order says. */
const paidUnderKey =
  (fits: (info: ReturnType<PaymentHandle['info']>) => boolean): Mutation['payments'] =>
  (payments): Payments => ({
    ...payments,
    damagedRecords: payments.damagedRecords,
    pay: async (order) => {
      const known = payments
        .list()
        .find((info) => info.idempotencyKey === order.idempotencyKey && info.hash !== null && fits(info))
      const handle = known && payments.get(known.id)
      return handle ?? payments.pay(order)
    },
  })

const json = (text: string): { [name: string]: unknown } => JSON.parse(text)

/** Planted faults of programs that take one answer for the truth. */
export const disagreementMutations: readonly Mutation[] = [
  {
    name: 'M1: a journal that forgets that bytes may have been taken',
    journal: (store) => ({
      ...store,
      read: async () => {
        const content = await store.read()
        const records = content.records.map((text) => {
          const record = json(text)
          const { status } = record.state as { readonly status: string }
          if (status !== 'uncertain' && status !== 'inPool') return text
          const state = { status: 'refused', message: 'no', refusals: 9, sinceHeight: 1, isFinal: true }
          return JSON.stringify({ ...record, mayBeTaken: false, state })
        })
        return { ...content, records }
      },
    }),
  },
  {
    name: 'M3: nonces by chance',
    signer: ({ address, signTransaction }) => ({ address, signTransaction }),
  },
  {
    name: 'M3: a history that ends at its first record',
    transport: changed(({ text }, { path }) => {
      if (path !== '/account_transactions' || !text.startsWith('{') || !text.endsWith('}')) return text
      return text.replace(/"records":\[.*\]/, '"records":[]')
    }),
  },
  {
    name: 'M4: a key that is known on one chain for all',
    payments: paidUnderKey(() => true),
  },
  {
    name: 'M4: payments of another chain that are taken for those of this one',
    shownBy: 11,
    journal: (store, _, run) => ({
      ...store,
      read: async () => {
        const content = await store.read()
        if (!run.trace.some((line) => line.includes(SET_UP_FOR_REAL))) return content
        // However a record spells the name of its chain.
        const records = content.records.map((text) => text.replace(/othergenesis/gi, 'DEVGENESIS'))
        return { ...content, records }
      },
    }),
  },
  {
    name: 'M5: a native token that is asked for once',
    shownBy: 275,
    transport: (transport, program, run) =>
      fromMemory(({ path }) => path === '/native_token')?.(transport, program, run) ?? transport,
  },
  {
    name: 'M6: a chain that is not asked while a pool shows the payment',
    shownBy: 24,
    transport: (transport) => {
      let pooled = ''
      return everyRequest(transport, async (request, send) => {
        const answer = await send(request)
        if (request.path === '/pending_tx_account' && answer.status === 200) pooled = answer.text
        const hash = /hash=([0-9a-f]{64})/.exec(request.query ?? '')?.[1]
        const isHidden = request.path === '/tx' && hash !== undefined && pooled.includes(hash)
        return isHidden && answer.status === 200 ? { ...answer, text: '' } : answer
      })
    },
  },
  {
    name: 'M7: a chain that is asked for once',
    transport: fromMemory(isOrigin),
  },
  {
    name: 'M8: "not now" that is taken for "never"',
    shownBy: 55,
    transport: changed(({ text }, { method }) =>
      method === 'POST' && text.includes('Send it again')
        ? '{"err":1,"message":"FROM field in locklist"}'
        : text,
    ),
  },
  {
    name: 'M9: a balance that is read once',
    shownBy: 16,
    transport: fromMemory(({ path }) => path === '/balance'),
  },
  {
    name: 'M9: native fees that nobody counts',
    shownBy: 23,
    transport: changed(({ text }, { path }) =>
      path === '/token_info'
        ? text
            .replace('"fee_type":2', '"fee_type":0')
            .replace('"fee_value":6000000000000000', '"fee_value":0')
        : text,
    ),
  },
  {
    name: 'M10: an order of another token that is taken for the same',
    payments: paidUnderKey(({ isOfOtherChain }) => !isOfOtherChain),
  },
  {
    name: 'M11: bytes that are said not to be stored when the store failed',
    shownBy: 3531,
    journal: (store) => {
      let hasFailed = false
      return {
        ...store,
        append: async (text, options) => {
          const isWithdrawn = text.includes('"withdrawn"')
          if (hasFailed && isWithdrawn) return
          try {
            await store.append(text, options)
          } catch {
            hasFailed = true
            throw paymentError('JOURNAL_WRITE_FAILED', { reason: 'it failed', mayBeStored: false })
          }
        },
      }
    },
  },
  {
    name: 'M12: a final payment that always means that its journal has everything below it',
    shownBy: 243,
    journal: (store) => ({
      ...store,
      read: async () => {
        const content = await store.read()
        const records = content.records.map((text) => text.replace('"isWhole":false', '"isWhole":true'))
        return { ...content, records }
      },
    }),
  },
]
