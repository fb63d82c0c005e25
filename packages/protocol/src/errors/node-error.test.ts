import { inspect } from 'node:util'
import { describe, expect, it } from 'vitest'
import { parseAddress } from '../values/address.ts'
import { parseAmount } from '../values/amount.ts'
import { parseHash } from '../values/hash.ts'
import { parseTokenId } from '../values/token-id.ts'
import { NodeError } from './node-error.ts'

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
        throw new NodeError('URL_REFUSED', { url: secret, reason: 'it is none' })
      }),
    ].join(' ')
    expect(shown.toLowerCase()).not.toContain('c0ffee')
    expect(shown.toLowerCase()).not.toContain('sausage')
    expect(Reflect.get(RegExp, 'input')).not.toContain(secret.trim())
  })

  it('repeats what is none', () => {
    for (const text of ['nonsense', `04${'ab'.repeat(32)}`, 'twelve', '1.5.5']) {
      expect(shownOf(() => parseAddress(text))).toContain(text)
      expect(shownOf(() => parseHash(text))).toContain(text)
    }
  })
})
