import { inspect } from 'node:util'
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

/** An integer has no minus zero. */
const withoutMinusZero = (text: string): unknown =>
  JSON.parse(text, (_, value) => (Object.is(value, -0) ? 0 : value))

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

  it('B2: reads every number by how it is written, whatever stands beside it', () => {
    const written = fc.oneof(
      fc.bigInt(-(2n ** 70n), 2n ** 70n).map((units) => ({ text: `${units}`, value: units })),
      fc.integer({ min: -99, max: 99 }).map((small) => ({ text: `${small}`, value: BigInt(small) })),
      fc.constantFrom('1.0', '-0.0', '1e3', '0.1', '-2E-2', '123456789012345678.0').map((text) => ({
        text,
        value: Number(text),
      })),
      fc
        .constantFrom('1', ' 1.5', ',2e5', '\\', '"', '": 12345678901234567,', '[1.5')
        .map((value) => ({ text: JSON.stringify(value), value })),
    )
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.constantFrom('', ' ', '\n'), written)), (entries) => {
        const list = `[${entries.map(([blank, { text }]) => blank + text).join(',')}]`
        expect(parseJson(list)).toEqual(entries.map(([, { value }]) => value))
        const members = entries.map(([blank, { text }], at) => `"${at}":${blank}${text}`)
        expect(Object.values(parseJson(`{${members.join(',')}}`) as object)).toEqual(
          entries.map(([, { value }]) => value),
        )
        for (const [blank, { text, value }] of entries) expect(parseJson(blank + text)).toEqual(value)
      }),
      { numRuns: 1000 },
    )
  })

  it('agrees with ordinary parsing on whatever ordinary stringifying writes', () => {
    fc.assert(
      fc.property(fc.json(), (text) => {
        expect(asDoubles(parseJson(text))).toEqual(withoutMinusZero(text))
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
      '7',
      '1.5',
      '1e',
      '-0',
      '18446744073709551615',
      '"\\"',
      '"1.5',
      '"\\"1.5"',
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
        if (readable) expect(asDoubles(parseJson(text))).toEqual(withoutMinusZero(text))
      }),
      { numRuns: 10_000 },
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
    const value = parseJson('{"a":1,"a":2,"__proto__":{"polluted":3}}') as Record<string, JsonValue>
    expect(value.a).toBe(2n)
    expect(Object.entries(value)[1]).toEqual(['__proto__', { polluted: 3n }])
    expect(Object.hasOwn(value, '__proto__')).toBe(true)
    expect(({} as Record<string, unknown>).polluted).toBeUndefined()
  })

  it('keeps out what a library added to every object', () => {
    Object.defineProperty(Object.prototype, 'extra', { value: 1, enumerable: true, configurable: true })
    const value = parseJson('{"a":1}') as object
    Reflect.deleteProperty(Object.prototype, 'extra')
    expect(Object.hasOwn(value, 'extra')).toBe(false)
  })

  it('never repeats the text it refuses', () => {
    const secret = 'open sesame'
    try {
      parseJson(`{"password":"${secret}`)
      expect.unreachable()
    } catch (error) {
      expect(isNodeError(error, 'JSON_MALFORMED')).toBe(true)
      expect(inspect(error)).not.toContain(secret)
    }
  })

  it('limits depth and size', () => {
    expect(codeOf(`${'['.repeat(64)}1${']'.repeat(64)}`)).toBe('read')
    expect(codeOf(`${'['.repeat(65)}${']'.repeat(65)}`)).toBe('JSON_MALFORMED')
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
