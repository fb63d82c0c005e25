import * as protocol from '@hailstone/protocol'
import { expect, it } from 'vitest'
import { apiSentences } from '../src/errors/api-error.ts'
import { argumentSentences } from '../src/errors/assert-argument.ts'
import { cursorSentences } from '../src/errors/cursor-error.ts'
import { eventSentences } from '../src/errors/event-error.ts'
import { type ErrorCode, type Sentences, sentences } from '../src/errors/facts.ts'
import { hostSentences } from '../src/errors/host-error.ts'
import { keystoreSentences } from '../src/errors/keystore-error.ts'
import { paymentSentences } from '../src/errors/payment-error.ts'
import { quorumSentences } from '../src/errors/quorum-error.ts'
import { reportSentences } from '../src/errors/report-error.ts'
import { textSentences } from '../src/errors/text-error.ts'

it('exports these names and no others', () => {
  expect(Object.keys(protocol).sort()).toMatchSnapshot()
})

it('has a sentence for every error code', () => {
  const all: Sentences<ErrorCode> = {
    ...sentences,
    ...keystoreSentences,
    ...paymentSentences,
    ...cursorSentences,
    ...hostSentences,
    ...apiSentences,
    ...textSentences,
    ...reportSentences,
    ...quorumSentences,
    ...eventSentences,
    ...argumentSentences,
  }
  for (const [code, sentence] of Object.entries(all)) expect(sentence, code).toBeTypeOf('function')
})
