import * as protocol from '@hailstone/protocol'
import { expect, it } from 'vitest'
import { sentences } from '../src/errors/facts.ts'

it('exports these names and no others', () => {
  expect(Object.keys(protocol).sort()).toMatchSnapshot()
})

it('has a sentence for every error code', () => {
  for (const [code, sentence] of Object.entries(sentences)) expect(sentence, code).toBeTypeOf('function')
})
