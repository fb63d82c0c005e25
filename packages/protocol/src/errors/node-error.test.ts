import { inspect } from 'node:util'
import { describe, expect, it } from 'vitest'
import { parseAddress } from '../values/address.ts'
import { parseAmount } from '../values/amount.ts'
import { parseHash } from '../values/hash.ts'
import { parseTokenId } from '../values/token-id.ts'
import { isNodeError, NodeError } from './node-error.ts'

const key = 'c0ffee5ec2e7c0ffee5ec2e7c0ffee5ec2e7c0ffee5ec2e7c0ffee5ec2e7aa55'
const phrase = 'legal winner thank year wave sausage worth useful legal winner thank yellow'

const shownOf = (act: () => unknown): string => {
  try {
    act()
  } catch (error) {
    return `${inspect(error, { depth: 9, showHidden: true })} ${JSON.stringify(error)} ${String(error)}`
  }
  throw new Error('nothing was thrown')
}

describe('an error about what somebody entered', () => {
  it.each([
    key,
    key.toUpperCase(),
    `00${key}`,
    `0x${key}`,
    ` ${key}\n`,
    `"${key}"`,
    phrase,
    `${phrase} ${phrase}`,
  ])('M1: does not repeat a secret that was pasted into the wrong field: %j', (secret) => {
    const readers = [parseAddress, (text: string) => parseAmount(text, { decimals: 10 })]
    const shown = [
      ...readers.map((read) => shownOf(() => read(secret))),
      shownOf(() => parseTokenId(`${secret}x`.slice(0, -1).toUpperCase())),
      shownOf(() => {
        throw new NodeError('URL_REFUSED', { url: secret, reason: 'it is no URL' })
      }),
    ].join(' ')
    expect(shown.toLowerCase()).not.toContain('c0ffee')
    expect(shown.toLowerCase()).not.toContain('sausage')
    expect(Reflect.get(RegExp, 'input')).not.toContain(secret.trim())
  })

  it('repeats a wrong text that is no secret', () => {
    for (const text of ['nonsense', `04${'ab'.repeat(32)}`, 'twelve', '1.5.5']) {
      expect(shownOf(() => parseAddress(text))).toContain(text)
      expect(shownOf(() => parseHash(text))).toContain(text)
    }
  })
})

describe('isNodeError', () => {
  const error = new NodeError('ADDRESS_MALFORMED', { text: 'x' })

  it('takes one code or several', () => {
    expect(isNodeError(error)).toBe(true)
    expect(isNodeError(error, 'ADDRESS_MALFORMED')).toBe(true)
    expect(isNodeError(error, ['HASH_MALFORMED', 'ADDRESS_MALFORMED'])).toBe(true)
    expect(isNodeError(error, ['HASH_MALFORMED'])).toBe(false)
    expect(isNodeError(error, 'HASH_MALFORMED')).toBe(false)
    for (const other of [new Error('x'), { code: 'ADDRESS_MALFORMED' }, null, undefined, 'x']) {
      expect(isNodeError(other)).toBe(false)
    }
  })

  it('names the page of its code, without showing it as a member', () => {
    expect(error.docsUrl).toMatch(/^https:\/\/[^/]+\/reference\/errors\/address_malformed\/$/)
    expect(Object.keys(error)).not.toContain('docsUrl')
    expect(JSON.stringify(error)).not.toContain('https:')
  })
})
