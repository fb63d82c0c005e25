import { describe, expect, it } from 'vitest'
import { hashOf } from '../../test/session-samples.ts'
import { isAnswered, withAnswer } from './gateway-message.ts'
import { NO_ANSWERS } from './state.ts'

describe('hashes that were signed', () => {
  it('are remembered without changing the older memory', () => {
    const one = withAnswer(NO_ANSWERS, hashOf(1))
    const two = withAnswer(one, hashOf(2))
    expect([
      isAnswered(NO_ANSWERS, hashOf(1)),
      isAnswered(one, hashOf(1)),
      isAnswered(one, hashOf(2)),
    ]).toEqual([false, true, false])
    expect(isAnswered(two, hashOf(1)) && isAnswered(two, hashOf(2))).toBe(true)
  })

  it('are the newest 65,536 at most, whatever a gateway sends', () => {
    let answered = NO_ANSWERS
    for (let at = 0; at < 70_000; at++) answered = withAnswer(answered, String(at) as never)
    const size = answered.reduce((sum, generation) => sum + generation.size, 0)
    expect(size).toBeLessThanOrEqual(65_536)
    expect(isAnswered(answered, '69999' as never)).toBe(true)
    expect(isAnswered(answered, '5000' as never)).toBe(true)
    expect(isAnswered(answered, '0' as never)).toBe(false)
  })
})
