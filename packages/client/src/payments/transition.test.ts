import type { Hash } from '@hailstone/protocol'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isSettled, type Payment, type PaymentPlace } from './payment.ts'
import { type PaymentInput, transition } from './transition.ts'

const hash = 'ab'.repeat(32) as Hash
const malleatedHash = 'cd'.repeat(32) as Hash
const place: PaymentPlace = { height: 7, keyBlockHash: hash, microblockHash: hash }
const confirmations = 3

const prepared: Payment = {
  id: 'id',
  idempotencyKey: null,
  createdAtMs: 0,
  chain: 'chain',
  draft: 'draft',
  body: null,
  hash: null,
  fee: 1n,
  nativeFee: 0n,
  ownerFee: 0n,
  anchor: null,
  isShared: false,
  isWhole: false,
  isCopied: false,
  nowhere: null,
  mayBeTaken: false,
  isLeaving: false,
  state: { status: 'prepared' },
}
const signed: PaymentInput = { type: 'signed', body: 'body', hash }
const nowhere = (tipHeight: number): PaymentInput => ({ type: 'nowhere', tipHeight })
const calculated = (status: 'confirmed' | 'rejected' | 'duplicate', isDeep: boolean): PaymentInput => ({
  type: 'calculated',
  status,
  place,
  isDeep,
})

/** Applies inputs to a payment and returns each result as `status → step`. */
function story(inputs: readonly PaymentInput[], payment: Payment = prepared): readonly string[] {
  const reported: string[] = []
  let current = payment
  for (const input of inputs) {
    const [next, step] = transition(current, input, { confirmations })
    current = next
    reported.push(`${current.state.status}${isSettled(current) ? ' for good' : ''} → ${step}`)
  }
  return reported
}

describe('a payment', () => {
  it('is stored, sent, found in the pool, confirmed and in the end final', () => {
    const inputs: readonly PaymentInput[] = [
      signed,
      { type: 'sending' },
      { type: 'accepted' },
      { type: 'inPool' },
      calculated('confirmed', false),
      calculated('confirmed', true),
    ]
    expect(story(inputs)).toStrictEqual([
      'stored → send',
      'sent → look',
      'inPool → look',
      'inPool → look',
      'confirmed → look',
      'confirmed for good → rest',
    ])
  })

  it('K1: that was not signed can be withdrawn, and nothing was ever to be sent', () => {
    expect(story([{ type: 'withdrawn', reason: 'why' }, signed])).toStrictEqual([
      'withdrawn for good → rest',
      'withdrawn for good → rest',
    ])
  })

  it('K5: whose answer was lost is looked for, and sent again only when it is nowhere', () => {
    const lost: readonly PaymentInput[] = [signed, { type: 'sending' }, { type: 'answerLost' }]
    expect(story([...lost, { type: 'inPool' }]).slice(2)).toStrictEqual(['sent → look', 'inPool → look'])
    expect(story([...lost, nowhere(9), nowhere(10), nowhere(11)]).slice(2)).toStrictEqual([
      'sent → look',
      'sent → look',
      'sent → look',
      'sent → send',
    ])
    // A chain that stands still keeps nothing from being sent.
    const still = Array.from({ length: 12 }, () => nowhere(9))
    expect(story([...lost, ...still]).slice(-2)).toStrictEqual(['sent → look', 'sent → send'])
  })

  it('of which a copy was seen is sent again only when confirmations have passed without it', () => {
    const still = Array.from({ length: 30 }, () => nowhere(11))
    const waits: PaymentInput = { type: 'malleatedWaits', malleatedHash }
    const reported = story([signed, waits, nowhere(9), ...still, nowhere(12)])
    expect(reported.slice(-2)).toStrictEqual(['uncertain → look', 'uncertain → send'])
    const executed: PaymentInput = { type: 'malleatedExecuted', malleatedHash, place, isDeep: false }
    expect(story([signed, executed, nowhere(9), nowhere(11), nowhere(12)]).slice(-3)).toStrictEqual([
      'reorganised → look',
      'reorganised → look',
      'reorganised → send',
    ])
  })

  it('H6: is only forgotten when it is missed twice, and is then sent again', () => {
    const reported = story([
      signed,
      { type: 'accepted' },
      nowhere(9),
      { type: 'inPool' },
      nowhere(9),
      nowhere(10),
      nowhere(11),
    ])
    expect(reported.slice(2)).toStrictEqual([
      'inPool → look',
      'inPool → look',
      'inPool → look',
      'forgotten → look',
      'forgotten → send',
    ])
  })

  it('K9: goes back to pending when its block is gone, and is sent again', () => {
    const again = [nowhere(9), nowhere(11), { type: 'accepted' } as const]
    const reported = story([signed, calculated('confirmed', false), ...again])
    expect(reported.slice(1)).toStrictEqual([
      'confirmed → look',
      'reorganised → look',
      'reorganised → send',
      'inPool → look',
    ])
  })

  it('H4: under another hash is uncertain, and still looked for under its own', () => {
    const reported = story([signed, { type: 'otherHash', received: 'xy' }, calculated('confirmed', true)])
    expect(reported.slice(1)).toStrictEqual(['uncertain → look', 'confirmed for good → rest'])
  })

  it('is not sent beside a copy with another signature', () => {
    const reported = story([
      signed,
      { type: 'malleatedWaits', malleatedHash },
      { type: 'malleatedExecuted', malleatedHash, place, isDeep: false },
      { type: 'malleatedExecuted', malleatedHash, place, isDeep: true },
    ])
    expect(reported.slice(1)).toStrictEqual([
      'uncertain → look',
      'superseded → look',
      'superseded for good → rest',
    ])
  })

  it('keeps what it was reported: reasons, the place, the first 64 characters of another hash', () => {
    const after = (...inputs: readonly PaymentInput[]) =>
      inputs.reduce((payment, input) => transition(payment, input, { confirmations })[0], prepared).state
    expect(after({ type: 'withdrawn', reason: 'why' })).toEqual({ status: 'withdrawn', reason: 'why' })
    expect(after({ type: 'sending' })).toEqual({ status: 'prepared' })
    expect(after(signed, { type: 'otherHash', received: 'f'.repeat(100) })).toEqual({
      status: 'uncertain',
      reason: `the network names another hash, ${'f'.repeat(64)}`,
    })
    for (const status of ['confirmed', 'rejected', 'duplicate'] as const)
      expect(after(signed, calculated(status, false), nowhere(9))).toEqual({
        status: 'reorganised',
        was: place,
      })
    expect(
      after(signed, { type: 'malleatedExecuted', malleatedHash, place, isDeep: false }, nowhere(9)),
    ).toEqual({
      status: 'reorganised',
      was: place,
    })
  })

  it('that was refused is only given up when the chain has gone on without it', () => {
    const refusal: PaymentInput = { type: 'refused', message: 'no' }
    const sending: PaymentInput = { type: 'sending' }
    const again = [sending, refusal]
    const refusals = [signed, refusal, nowhere(10), ...again, ...again, ...again]
    expect(story([...refusals, nowhere(13)]).at(-1)).toBe('refused → send')
    expect(story([...refusals, ...again, nowhere(12)]).at(-1)).toBe('refused → send')
    expect(story([...refusals, ...again, nowhere(13)]).at(-1)).toBe('refused for good → rest')
    expect(story([signed, refusal, nowhere(10), calculated('confirmed', true)]).at(-1)).toBe(
      'confirmed for good → rest',
    )
  })

  it.each<[string, readonly PaymentInput[]]>([
    ['accepted it', [{ type: 'accepted' }, nowhere(9), nowhere(9)]],
    ['may have got it: the answer was lost', [{ type: 'sending' }, { type: 'answerLost' }, nowhere(9)]],
    ['has it in its pool', [{ type: 'notTaken' }, { type: 'inPool' }, nowhere(9), nowhere(9)]],
    ['named another hash', [{ type: 'otherHash', received: 'xy' }, nowhere(9)]],
    ['holds a copy of it', [{ type: 'malleatedWaits', malleatedHash }, nowhere(9)]],
    ['had it in a block', [calculated('confirmed', false), nowhere(9)]],
  ])('H6: that one node refuses while another %s is never given up by time alone', (_, before) => {
    const refusal: PaymentInput = { type: 'refused', message: 'FROM field in locklist' }
    const inputs = [signed, ...before, refusal, nowhere(10), nowhere(13), refusal, nowhere(99)]
    const [refused, ...later] = story(inputs).slice(before.length + 1)
    expect(refused).toBe('uncertain → look')
    expect(later).toStrictEqual([
      'uncertain → look',
      'uncertain → send',
      'uncertain → look',
      'uncertain → send',
    ])
    const state = inputs.reduce(
      (payment, input) => transition(payment, input, { confirmations })[0],
      prepared,
    ).state
    expect(state).toEqual({
      status: 'uncertain',
      reason: 'refused ("FROM field in locklist"), but a node may have taken it before',
    })
    expect(story([...inputs, calculated('confirmed', true)]).at(-1)).toBe('confirmed for good → rest')
  })

  it('that was only turned away unread before a refusal is given up as if it had not been sent before', () => {
    const refusal: PaymentInput = { type: 'refused', message: 'no' }
    const turnedAway: PaymentInput = { type: 'notTaken' }
    const away: PaymentInput = { type: 'unknown', reason: 'away' }
    const inputs = [signed, { type: 'sending' } as const, turnedAway, away, nowhere(9), refusal, nowhere(10)]
    const again = [refusal, refusal, refusal, refusal]
    expect(story([...inputs, ...again, nowhere(13)]).slice(-2)).toStrictEqual([
      'refused → look',
      'refused for good → rest',
    ])
  })

  it('whose journal does not say whether its refusal was the first word is sent again', () => {
    const state = { status: 'refused', message: 'no', refusals: 1, sinceHeight: 5, isFinal: false } as const
    const old: Payment = { ...prepared, body: 'body', hash, mayBeTaken: true, state }
    expect(story([nowhere(97), nowhere(99)], old)).toStrictEqual(['uncertain → look', 'uncertain → send'])
  })

  it.each([
    'The pool is full with 2 transactions. Send it again after the next macroblock.',
    'too many requests',
    'try later',
    'txpool overflow',
    'Rate exceeded',
    'No space left in pool',
    'node is syncing',
    'Something went wrong...',
  ])('that is refused for now is sent again for as long as it takes: %s', (message) => {
    const refusal: PaymentInput = { type: 'refused', message }
    const again = [10, 13, 20, 30, 99].flatMap((height) => [refusal, nowhere(height)])
    const inputs = [signed, ...again]
    expect(story(inputs).slice(1)).toStrictEqual(
      again.map(({ type }) => `refused → ${type === 'refused' ? 'look' : 'send'}`),
    )
    expect(story([...inputs, { type: 'accepted' }]).at(-1)).toBe('inPool → look')
  })

  it('that was refused may be taken while it is sent again, until that is refused as well', () => {
    const refusal: PaymentInput = { type: 'refused', message: 'no' }
    const after = (...inputs: readonly PaymentInput[]) =>
      inputs.reduce((payment, input) => transition(payment, input, { confirmations })[0], prepared)
    const sending = after(signed, refusal, nowhere(10), { type: 'sending' })
    expect(sending).toMatchObject({ isLeaving: true, mayBeTaken: false, state: { status: 'refused' } })
    const ends: readonly PaymentInput[] = [refusal, { type: 'notTaken' }]
    for (const end of ends)
      expect(transition(sending, end, { confirmations })[0]).toMatchObject({
        isLeaving: false,
        mayBeTaken: false,
      })
    const lost = transition(sending, { type: 'answerLost' }, { confirmations })[0]
    expect(lost).toMatchObject({ isLeaving: false, mayBeTaken: true })
    expect(story([nowhere(97), nowhere(99)], lost)).toStrictEqual(['uncertain → look', 'uncertain → send'])
  })

  it('that another journal may have sent is never given up', () => {
    const refusal: PaymentInput = { type: 'refused', message: 'no' }
    const again = [refusal, nowhere(20), refusal, nowhere(30), refusal, nowhere(40), refusal, nowhere(50)]
    const reported = story([signed, ...again, refusal, nowhere(99)], { ...prepared, isShared: true })
    expect(reported.at(-1)).toBe('uncertain → send')
  })

  const anyInput: fc.Arbitrary<PaymentInput> = fc.oneof(
    fc.constantFrom<PaymentInput>(
      signed,
      { type: 'signed', body: 'other body', hash: malleatedHash },
      { type: 'withdrawn', reason: 'why' },
      { type: 'sending' },
      { type: 'accepted' },
      { type: 'answerLost' },
      { type: 'answerLost', reason: 'busy' },
      { type: 'notTaken' },
      { type: 'notTaken', reason: 'busy' },
      { type: 'refused', message: 'no' },
      { type: 'otherHash', received: malleatedHash },
      { type: 'unknown', reason: 'why' },
      { type: 'keptBack', reason: 'why' },
      { type: 'refused', message: 'send it again' },
      { type: 'inPool' },
      { type: 'malleatedWaits', malleatedHash },
    ),
    fc.nat(20).map(nowhere),
    fc.boolean().map((isDeep): PaymentInput => ({ type: 'malleatedExecuted', malleatedHash, place, isDeep })),
    fc
      .tuple(fc.constantFrom('confirmed', 'rejected', 'duplicate'), fc.boolean())
      .map(([status, isDeep]) => calculated(status as 'confirmed', isDeep)),
  )

  /** Inputs after which nobody can have the bytes. */
  const harmless: ReadonlySet<PaymentInput['type']> = new Set([
    ...(['signed', 'withdrawn', 'sending', 'notTaken', 'refused', 'unknown', 'keptBack', 'nowhere'] as const),
  ])

  it('I1: in any order of events keeps its first bytes, stays settled, and never fails while it may land', () => {
    fc.assert(
      fc.property(fc.array(anyInput, { maxLength: 40 }), (inputs) => {
        let payment = prepared
        const reported: PaymentInput['type'][] = []
        for (const input of inputs) {
          const [next, step] = transition(payment, input, { confirmations })
          if (payment.body !== null)
            expect([next.body, next.hash]).toStrictEqual([payment.body, payment.hash])
          if (isSettled(payment)) expect(next).toBe(payment)
          expect(step === 'rest').toBe(isSettled(next) || next.body === null)
          // A signed payment is only ever given up on the word of the chain.
          if (!isSettled(payment) && isSettled(next) && payment.body !== null) {
            const early = payment.state.status === 'stored' ? ['withdrawn'] : []
            expect(['calculated', 'malleatedExecuted', 'nowhere', ...early]).toContain(input.type)
            if (input.type === 'nowhere') {
              expect(payment.state.status).toBe('refused')
              expect(reported.filter((type) => !harmless.has(type))).toStrictEqual([])
            }
          }
          if (payment.body !== null) reported.push(input.type)
          // Bytes are sent when they are new, and when they were found nowhere; never otherwise.
          if (step === 'send') expect(['signed', 'nowhere']).toContain(input.type)
          payment = next
        }
      }),
      { numRuns: 5_000 },
    )
  })
})
