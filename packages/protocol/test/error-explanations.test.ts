import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { errorExplanations } from '@hailstone/protocol/reference'
import { describe, expect, it } from 'vitest'
import { apiSentences } from '../src/errors/api-error.ts'
import { argumentSentences } from '../src/errors/assert-argument.ts'
import { cursorSentences } from '../src/errors/cursor-error.ts'
import { eventSentences } from '../src/errors/event-error.ts'
import { sentences } from '../src/errors/facts.ts'
import { hostSentences } from '../src/errors/host-error.ts'
import { keystoreSentences } from '../src/errors/keystore-error.ts'
import { paymentSentences } from '../src/errors/payment-error.ts'
import { quorumSentences } from '../src/errors/quorum-error.ts'
import { reportSentences } from '../src/errors/report-error.ts'
import { textSentences } from '../src/errors/text-error.ts'

const codes = [
  ...[sentences, apiSentences, argumentSentences, cursorSentences, hostSentences, keystoreSentences],
  ...[eventSentences, paymentSentences, quorumSentences, reportSentences, textSentences],
].flatMap((table) => Object.keys(table))

it('explains every error code, and nothing else', () => {
  expect(Object.keys(errorExplanations).sort()).toEqual(codes.sort())
})

describe.each(Object.entries(errorExplanations))('%s', (code, { title, hint, causes, related }) => {
  it('has a short title, one sentence as a hint, and sentences for causes and fixes', () => {
    expect(title.length).toBeLessThanOrEqual(60)
    expect(title).not.toMatch(/\.$/)
    for (const text of [hint, ...causes.flatMap(({ cause, fix }) => [cause, fix])]) {
      expect(text).toMatch(/^[A-Z0-9a-z].*[^.]\.$|^[A-Z].*\.$/)
    }
  })

  it('refers to other codes that exist, each once', () => {
    expect(new Set(related).size).toBe(related.length)
    for (const other of related) expect(codes, other).toContain(other)
    expect(related).not.toContain(code)
  })
})

it('is not in the entry of pages', () => {
  const folder = join(import.meta.dirname, '../dist/bundle')
  const bundle = readdirSync(folder).filter((name) => /^(?:index|main)\.js$/.test(name))
  expect(bundle).toHaveLength(2)
  for (const name of bundle) {
    expect(readFileSync(join(folder, name), 'utf8')).not.toContain(errorExplanations.JOURNAL_BEHIND.title)
  }
})
