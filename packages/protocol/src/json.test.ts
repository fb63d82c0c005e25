import { inspect } from 'node:util'
import fc from 'fast-check'
import { describe, expect, it, vi } from 'vitest'
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

/** Converts bigints to the nearest double, as ordinary parsing does. */
const asDoubles = (value: JsonValue | undefined): unknown => {
  if (typeof value === 'bigint') return Number(value)
  if (Object.is(value, -0)) return 0
  if (Array.isArray(value)) return value.map(asDoubles)
  if (value === null || typeof value !== 'object') return value
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, asDoubles(member)]))
}

/** Integers have no minus zero; doubles have one. */
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

  it('reads a double that is too small as ordinary parsing does: as minus zero, an integer never', () => {
    const text = '-1e-18446744073709551615'
    expect(JSON.parse(text)).toBe(-0)
    expect(parseJson(text)).toBe(-0)
    expect(parseJson('-0')).toBe(0n)
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

  it('limits the characters of a number', () => {
    expect(parseJson(`[${'9'.repeat(400)},1]`)).toEqual([10n ** 400n - 1n, 1n])
    expect(codeOf(`[${'9'.repeat(401)}]`)).toBe('JSON_MALFORMED')
    expect(codeOf(`0.${'1'.repeat(399)}`)).toBe('JSON_MALFORMED')
    expect(codeOf(`"${'9'.repeat(5000)}"`)).toBe('read')
  })

  it('limits values and members to one for each 28 bytes that may be read', () => {
    const list = (length: number): string => `[${Array.from({ length }, () => '""').join()}]`
    expect(codeOf(list(36), { limitBytes: 1024 })).toBe('read')
    expect(codeOf(list(37), { limitBytes: 1024 })).toBe('JSON_MALFORMED')
    expect(codeOf(`{${'"a":1,'.repeat(16)}"a":1}`, { limitBytes: 1024 })).toBe('JSON_MALFORMED')
    expect(codeOf(`"${',:[]{}'.repeat(100)}"`, { limitBytes: 1024 })).toBe('read')
  })

  const LARGEST = 4 * 1024 * 1024
  const full = (begin: string, part: string): string =>
    begin + part.repeat(Math.floor((LARGEST - begin.length) / part.length))

  it.each([
    ['digits', full('', '1')],
    ['decimals', full('0.', '1')],
    ['digits in an exponent', full('1e', '9')],
    ['brackets', full('', '[')],
    ['braces', full('', '{"":')],
    ['small lists', full('[', '[],')],
    ['small numbers', full('[', '1,')],
    ['small texts', full('[1.5,', '"",')],
    ['members of one name', full('{', '"a":1,')],
    ['colons', full('', ':')],
    ['numbers between colons', full('1.5', ':1')],
    ['backslashes', full('[1.5,"', '\\')],
  ])('G-11: begins no reading of 4 MiB of %s', (_, text) => {
    const parse = vi.spyOn(JSON, 'parse')
    const toInteger = vi.spyOn(globalThis, 'BigInt')
    try {
      expect(codeOf(text)).toBe('JSON_MALFORMED')
      expect(parse).not.toHaveBeenCalled()
      expect(toInteger).not.toHaveBeenCalled()
    } finally {
      vi.restoreAllMocks()
    }
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
