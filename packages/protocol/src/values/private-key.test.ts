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
