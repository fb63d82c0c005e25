import { expect, it } from 'vitest'
import { NodeError } from '../../errors/node-error.ts'
import { explainError } from './explain-error.ts'

it('explains errors of ours, and nothing else', () => {
  const advice = explainError(new NodeError('ADDRESS_MALFORMED', { text: 'x' }))
  expect(advice?.title).toBeTypeOf('string')
  expect(advice?.causes.length).toBeGreaterThan(0)
  expect(advice?.docsUrl).toMatch(/address_malformed\/?$/)
  const newer = new NodeError('ADDRESS_MALFORMED', { text: 'x' })
  Object.defineProperty(newer, 'code', { value: 'toString' })
  for (const other of [newer, new Error('x'), null, 'ADDRESS_MALFORMED'])
    expect(explainError(other)).toBeNull()
})
