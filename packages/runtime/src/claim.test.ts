import { describe, expect, it } from 'vitest'
import { type Claim, isProved, repeated } from './claim.ts'

const said = (...answers: readonly (readonly [string, number])[]): Claim | null =>
  answers.reduce<Claim | null>((claim, [source, atMs]) => repeated(claim, { source, atMs }), null)

describe('a claim', () => {
  it('is no fact before it was repeated often enough', () => {
    expect(isProved(null, { answers: 1 })).toBe(false)
    expect(isProved(said(['a', 0]), { answers: 2 })).toBe(false)
    expect(isProved(said(['a', 0], ['a', 0]), { answers: 2 })).toBe(true)
  })

  it('is no fact before it was repeated over the time that is asked for', () => {
    expect(isProved(said(['a', 5], ['a', 104]), { answers: 2, overMs: 100 })).toBe(false)
    expect(isProved(said(['a', 5], ['a', 105]), { answers: 2, overMs: 100 })).toBe(true)
  })

  it('is no fact before every source has made it', () => {
    const proof = { answers: 2, sources: ['a', 'b'] }
    expect(isProved(said(['a', 0], ['a', 1], ['a', 2]), proof)).toBe(false)
    expect(isProved(said(['a', 0], ['a', 1], ['b', 2]), proof)).toBe(true)
  })
})
