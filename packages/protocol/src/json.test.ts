import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isNodeError } from './errors/node-error.ts'
import { type JsonValue, parseJson, stringifyJson } from './json.ts'

const codeOf = (text: string, options = {}) => {
  try {
    parseJson(text, options)
    return 'read'
  } catch (error) {
    return isNodeError(error) ? error.code : error
  }
}

/** What ordinary parsing makes of a value: bigint becomes the nearest double. */
const asDoubles = (value: JsonValue | undefined): unknown => {
  if (typeof value === 'bigint') return Number(value)
  if (Array.isArray(value)) return value.map(asDoubles)
  if (value === null || typeof value !== 'object') return value
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, asDoubles(member)]))
}

describe('parseJson', () => {
  it('B2: keeps every digit of an integer', () => {
    expect(parseJson('[18446744073709551615,9007199254740993,-0,0,-5]')).toEqual([
      18446744073709551615n,
      9007199254740993n,
      0n,
      0n,
      -5n,
    ])
  })

  it('reads numbers with a fraction or exponent as doubles', () => {
    expect(parseJson('[1.5,1e3,-2E-2,5.0]')).toEqual([1.5, 1000, -0.02, 5])
  })

  it('agrees with ordinary parsing on whatever ordinary stringifying writes', () => {
    fc.assert(
      fc.property(fc.json(), (text) => {
        expect(asDoubles(parseJson(text))).toEqual(
          JSON.parse(text, (_, value) => (Object.is(value, -0) ? 0 : value)),
        )
      }),
      { numRuns: 2000 },
    )
  })

  it('refuses exactly the texts that ordinary parsing refuses', () => {
    const pieces = [
      '{',
      '}',
      '[',
      ']',
      '"a"',
      ':',
      ',',
      '1',
      '-',
      '01',
      'true',
      'null',
      ' ',
      '"\\u12"',
      '.5',
      '\u00a0',
      'NaN',
    ]
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...pieces), { maxLength: 8 }), (parts) => {
        const text = parts.join('')
        let readable = true
        try {
          JSON.parse(text)
        } catch {
          readable = false
        }
        expect(codeOf(text)).toBe(readable ? 'read' : 'JSON_MALFORMED')
      }),
      { numRuns: 5000 },
    )
  })

  it.each([
    '',
    '[1',
    '{"a":}',
    '{"a":1,}',
    '[1,]',
    '{a:1}',
    "'a'",
    '"\n"',
    '1 2',
    '+1',
    '0x1',
    '\ufeff1',
    '"\\x"',
    'tru',
  ])('refuses %j', (text) => expect(codeOf(text)).toBe('JSON_MALFORMED'))

  it('keeps the last of repeated members and treats __proto__ as an ordinary one', () => {
    const value = parseJson('{"a":1,"a":2,"__proto__":{"polluted":true}}') as Record<string, JsonValue>
    expect(value.a).toBe(2n)
    expect(Object.hasOwn(value, '__proto__')).toBe(true)
    expect(({} as Record<string, unknown>).polluted).toBeUndefined()
  })

  it('limits depth and size', () => {
    expect(codeOf('['.repeat(100_000))).toBe('JSON_MALFORMED')
    expect(codeOf(`${'['.repeat(10)}${']'.repeat(10)}`, { limitDepth: 5 })).toBe('JSON_MALFORMED')
    expect(codeOf('"aaaaaaaaaa"', { limitBytes: 8 })).toBe('JSON_TOO_LARGE')
  })
})

describe('stringifyJson', () => {
  it('writes what parseJson reads back, bigints included', () => {
    const leaf = fc.oneof(fc.bigInt(-(2n ** 70n), 2n ** 70n), fc.string(), fc.boolean(), fc.constant(null))
    const { value } = fc.letrec((tie) => ({
      value: fc.oneof(
        { maxDepth: 4 },
        leaf,
        fc.array(tie('value'), { maxLength: 4 }),
        fc.dictionary(fc.string(), tie('value'), { maxKeys: 4, noNullPrototype: true }),
      ),
    }))
    fc.assert(
      fc.property(value, (given) => {
        expect(parseJson(stringifyJson(given as JsonValue))).toEqual(given)
      }),
      { numRuns: 1000 },
    )
  })

  it('leaves undefined members out', () => {
    expect(stringifyJson({ a: undefined, b: 2n ** 64n })).toBe('{"b":18446744073709551616}')
  })
})
