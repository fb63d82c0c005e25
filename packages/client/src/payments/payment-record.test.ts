import {
  parseAddress,
  toAmount,
  transactionBody,
  transactionDraft,
  transactionHash,
  ZERO_TOKEN_ID,
} from '@hailstone/protocol'
import { describe, expect, it } from 'vitest'
import { walletFromPrivateKey } from '../wallet/wallet-from-private-key.ts'
import type { Payment, PaymentState } from './payment.ts'
import { decodePayment, encodePayment } from './payment-record.ts'

const wallet = walletFromPrivateKey('5'.padStart(64, '0'))
const fields = {
  amount: toAmount(5n),
  data: 'record',
  from: wallet.address,
  nonce: 1,
  tokenId: ZERO_TOKEN_ID,
  to: parseAddress(`02${'cd'.repeat(32)}`),
}
const transaction = wallet.signTransaction(fields)
const hash = transactionHash(transaction)
const place = { height: 7, keyBlockHash: hash, microblockHash: hash }

const unsigned: Payment = {
  id: 'id',
  idempotencyKey: null,
  createdAtMs: 5,
  chain: 'chain',
  draft: transactionDraft(fields),
  body: null,
  hash: null,
  fee: 12n,
  nativeFee: 0n,
  ownerFee: 7n,
  anchor: null,
  isShared: false,
  isWhole: false,
  isCopied: false,
  nowhere: null,
  mayBeTaken: false,
  isLeaving: false,
  state: { status: 'prepared' },
}
const signed: Payment = {
  ...unsigned,
  body: transactionBody(transaction),
  hash,
  isShared: false,
  isWhole: false,
  isCopied: false,
  nowhere: null,
  mayBeTaken: true,
  isLeaving: false,
  state: { status: 'stored' },
}
const refused: PaymentState = {
  status: 'refused',
  message: 'no',
  refusals: 1,
  sinceHeight: null,
  isFinal: false,
}

const states: readonly PaymentState[] = [
  { status: 'stored' },
  { status: 'sent' },
  { status: 'inPool', misses: 0 },
  { status: 'confirmed', place, isFinal: false },
  { status: 'rejected', place, isFinal: true },
  { status: 'duplicate', place, isFinal: true },
  { status: 'forgotten' },
  { status: 'reorganised', was: place },
  { status: 'superseded', malleatedHash: hash, place, isFinal: false },
  refused,
  { status: 'uncertain', reason: 'why' },
]

const read = (members: object) => decodePayment(JSON.stringify(members))
const members = (payment: Payment) => JSON.parse(encodePayment(payment)) as Record<string, unknown>
const damaged = { kind: 'damaged' }

describe('T3: the record of a payment', () => {
  it.each(states)('as $status comes back as it was', (state) => {
    const payment = { ...signed, isCopied: state.status === 'superseded', state }
    expect(decodePayment(encodePayment(payment))).toEqual({ kind: 'payment', payment })
  })

  it.each(states)('as $status may have been taken when its writer did not say, or something odd', (state) => {
    const { mayBeTaken: _, ...old } = members({ ...signed, state })
    const payment = { ...signed, isCopied: state.status === 'superseded', state }
    for (const record of [old, { ...old, mayBeTaken: 0 }, { ...old, mayBeTaken: null }])
      expect(read(record)).toEqual({ kind: 'payment', payment })
  })

  it.each(states)(
    'as $status may have been taken since it was written: what leaves this machine is not recorded',
    (state) => {
      expect(read(members({ ...signed, mayBeTaken: false, isLeaving: false, state }))).toMatchObject({
        payment: { mayBeTaken: true },
      })
    },
  )

  it('without a signature was never taken', () => {
    const { mayBeTaken: _, ...old } = members(unsigned)
    expect(read(old)).toEqual({ kind: 'payment', payment: unsigned })
    expect(read({ ...old, mayBeTaken: true })).toEqual({ kind: 'payment', payment: unsigned })
  })

  it.each([{ status: 'prepared' }, { status: 'withdrawn', reason: 'why' }] as const)(
    'as $status needs no signature, and with texts for what may be null it comes back',
    (state) => {
      const payment: Payment = { ...unsigned, idempotencyKey: 'order 1', anchor: hash, state }
      expect(decodePayment(encodePayment(payment))).toEqual({ kind: 'payment', payment })
    },
  )

  it.each(
    states.flatMap((state) =>
      Object.keys(state)
        // Older records do not have the number of refusals.
        .filter((name) => name !== 'status' && name !== 'refusals')
        .map((name) => ({ state, name })),
    ),
  )('as $state.status without $name is damaged', ({ state, name }) => {
    expect(read({ ...members(signed), state: { ...state, [name]: undefined } })).toEqual(damaged)
  })

  it('that was withdrawn without a reason is damaged', () => {
    expect(read({ ...members(unsigned), state: { status: 'withdrawn' } })).toEqual(damaged)
  })

  it.each([
    null,
    'stored',
    5,
    {},
    { status: 5 },
    { status: 'paid' },
    { status: 'constructor' },
    { status: '' },
  ])('in the state %j is damaged', (state) => expect(read({ ...members(signed), state })).toEqual(damaged))

  it.each([
    'id',
    'chain',
    'draft',
    'idempotencyKey',
    'body',
    'hash',
    'anchor',
    'fee',
    'nativeFee',
    'createdAtMs',
  ])('without %s, or with a list in its place, is damaged', (name) => {
    const { [name]: _, ...rest } = members(signed)
    expect(read(rest)).toEqual(damaged)
    expect(read({ ...rest, [name]: [] })).toEqual(damaged)
    expect(read({ ...rest, [name]: { toString: 'x' } })).toEqual(damaged)
  })

  it.each(['', '-1', '1.5', '1e3', ' 1', '1 ', '9'.repeat(21), 5, null])(
    'with a fee of %j is damaged',
    (fee) => {
      expect(read({ ...members(signed), fee })).toEqual(damaged)
      expect(read({ ...members(signed), nativeFee: fee })).toEqual(damaged)
    },
  )

  it.each(['', 'null', '5', '"x"', '[]', '{}', '{"v":"1"}', '{', 'undefined'])(
    'that says %j is damaged',
    (text) => {
      expect(decodePayment(text)).toEqual(damaged)
    },
  )

  it('of a newer version says which, whatever else it holds', () => {
    expect(read({ v: 2 })).toEqual({ kind: 'newerVersion', version: 2 })
    expect(read({ ...members(signed), v: 7 })).toEqual({ kind: 'newerVersion', version: 7 })
  })

  it('whose bytes say something else is damaged', () => {
    const other = wallet.signTransaction({ ...fields, nonce: 2 })
    const change = (changed: Partial<Payment>) => read(members({ ...signed, ...changed }))
    expect(change({ hash: transactionHash(other) })).toEqual(damaged)
    expect(change({ body: transactionBody(other), hash: transactionHash(other) })).toEqual(damaged)
    expect(change({ draft: transactionDraft({ ...fields, nonce: 2 }) })).toEqual(damaged)
    expect(change({ draft: transactionBody(transaction) })).toEqual(damaged)
    for (const text of ['', '{', '[]', '[{}]', `${signed.draft} `]) {
      expect(change({ draft: text })).toEqual(damaged)
      expect(change({ body: text })).toEqual(damaged)
    }
  })

  it('that was sent without bytes is damaged', () => {
    for (const state of states) expect(read(members({ ...unsigned, state }))).toEqual(damaged)
    expect(read(members({ ...signed, hash: null }))).toEqual(damaged)
    expect(read(members({ ...signed, body: null }))).toEqual(damaged)
  })
})
