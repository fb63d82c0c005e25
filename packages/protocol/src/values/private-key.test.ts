import { expect, it } from 'vitest'
import { isNodeError } from '../errors/node-error.ts'
import { parsePrivateKey } from './private-key.ts'

it('never repeats the text of a refused key', () => {
  const secret = `0x${'ab'.repeat(32)}`
  try {
    parsePrivateKey(secret)
    expect.unreachable()
  } catch (error) {
    expect(isNodeError(error, 'PRIVATE_KEY_MALFORMED')).toBe(true)
    expect(JSON.stringify(error) + String(error) + (error as Error).stack).not.toContain('abab')
  }
})

it.each(['0x', '0X'])('says that a key begins with %s', (mark) => {
  expect(() => parsePrivateKey(mark + 'ab'.repeat(32))).toThrow(/begins with 0x/)
})

it('leaves no key behind in the properties of RegExp', () => {
  ;/last/.test('last')
  parsePrivateKey('ab'.repeat(32))
  expect(Reflect.get(RegExp, 'input')).toBe('last')
})

it('reads hex digits and nothing else, wherever they stand', () => {
  for (const other of ['g', ' ', '\n', '_', '０', 'é', '\ud800', '😀'.slice(0, 1)]) {
    for (const at of [0, 31, 63]) {
      const text = 'ab'.repeat(32).slice(0, at) + other + 'ab'.repeat(32).slice(at + 1)
      expect(() => parsePrivateKey(text)).toThrowError(
        expect.objectContaining({ code: 'PRIVATE_KEY_MALFORMED' }),
      )
    }
  }
})
