import { inspect } from 'node:util'
import { describe, expect, it } from 'vitest'
import { parseAddress } from '../values/address.ts'
import { parseAmount } from '../values/amount.ts'
import { parseHash } from '../values/hash.ts'
import { parseTokenId } from '../values/token-id.ts'
import { apiSentences } from './api-error.ts'
import { argumentSentences } from './assert-argument.ts'
import { cursorSentences } from './cursor-error.ts'
import { eventSentences } from './event-error.ts'
import { sentences } from './facts.ts'
import { hostSentences } from './host-error.ts'
import { keystoreSentences } from './keystore-error.ts'
import { isNodeError, NodeError } from './node-error.ts'
import { paymentSentences } from './payment-error.ts'
import { quorumSentences } from './quorum-error.ts'
import { reportSentences } from './report-error.ts'
import { textSentences } from './text-error.ts'

const allSentences = {
  ...{ ...sentences, ...apiSentences, ...argumentSentences, ...cursorSentences, ...hostSentences },
  ...{ ...keystoreSentences, ...eventSentences, ...paymentSentences, ...quorumSentences },
  ...{ ...reportSentences, ...textSentences },
}

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

describe('an error in a log', () => {
  const transaction = { amount: 5n, nonce: 7 }
  const token = { symbol: 'DEV', decimals: 10 }
  /** What any of the codes may have among its facts. */
  const facts = new Proxy(
    { fee: 5n, limit: 2n ** 70n, transaction, token, answers: [{ value: 5n }], text: 'x', path: '/x' },
    { get: (given, name) => Reflect.get(given, name) ?? (name === 'toJSON' ? undefined : 5) },
  )

  it.each(Object.entries(allSentences))('carries its facts: %s', (code, sentence) => {
    const error = new NodeError(code as 'FEE_ABOVE_CAP', facts as never, undefined, {
      [code]: () => String(typeof sentence),
    } as never)
    const logged = JSON.parse(JSON.stringify({ error }))
    expect(logged.error).toMatchObject({ name: 'NodeError', code, message: 'function' })
    expect(logged.error.facts).toMatchObject({ fee: '5', limit: `${2n ** 70n}`, token })
    expect(logged.error.facts.transaction).toStrictEqual({ amount: '5', nonce: 7 })
    expect(error.facts.fee).toBe(5n)
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

  it('narrows the facts by the code', () => {
    const reasonOf = (caught: unknown): string => {
      if (!isNodeError(caught)) return 'of another kind'
      switch (caught.code) {
        case 'HTTP_STATUS':
          return `status ${caught.facts.status}`
        case 'ADDRESS_MALFORMED':
          return caught.facts.text
        default:
          return caught.message
      }
    }
    expect(reasonOf(error)).toBe('x')
  })

  it('names the page of its code, without showing it as a member', () => {
    expect(error.docsUrl).toMatch(
      /(?:\/reference\/errors\/address_malformed\/|ERRORS\.md#address_malformed)$/,
    )
    expect(Object.keys(error)).not.toContain('docsUrl')
    expect(JSON.stringify(error)).not.toContain('https:')
  })
})

it('ends with one full stop, also where the reason is a sentence', () => {
  const messageOf = (reason: string): string => new NodeError('JSON_MALFORMED', { reason }).message
  expect(messageOf('it is empty')).toBe('The text is not JSON: it is empty.')
  expect(messageOf('It is empty.')).toBe('The text is not JSON: It is empty.')
  expect(messageOf('Something went wrong...')).toBe('The text is not JSON: Something went wrong...')
})
