import { describe, expect, it } from 'vitest'
import type { JsonValue } from '../json.ts'
import { encodeWith } from './encode-with.ts'
import * as leaves from './leaves.ts'
import { Mismatch, record, type Schema } from './record.ts'

type Case = readonly [schema: Schema<unknown>, wire: JsonValue | undefined, value: unknown]

const LARGEST = 2n ** 64n - 1n
const address = `02${'ab'.repeat(32)}`
const hash = 'CD'.repeat(32)
const { amount, bareAmount, textAmount, textDifference, netAmount, canonicalInteger, count, decimals } =
  leaves
const { decimal, flag, text, symbol, status, feeType, yesOrNo, nothing, figure, anything } = leaves

const numberOrText = leaves.either<unknown>(count, text)

const read: readonly Case[] = [
  [amount, 0n, 0n],
  [amount, '18446744073709551615', LARGEST],
  [bareAmount, LARGEST, LARGEST],
  [textAmount, '007', 7n],
  [textDifference, '-5', -5n],
  [textDifference, -5n, -5n],
  [netAmount, '-5', { units: -5n, isComputed: true }],
  [netAmount, -5n, { units: -5n, isComputed: false }],
  [canonicalInteger, '0', 0n],
  [canonicalInteger, 10n, 10n],
  [count, 7n, 7],
  [decimals, 4n, 4],
  [decimals, 10n, 10],
  [decimal, 2.5, 2.5],
  [decimal, 2n, 2],
  [flag, 0n, false],
  [flag, 1n, true],
  [text, '', ''],
  [symbol, 'HAIL', 'HAIL'],
  [symbol, `${'A'.repeat(31)}BC`, `${'A'.repeat(31)}B`],
  [leaves.address, address, address],
  [leaves.hash, hash, hash],
  [leaves.hash, 'DEVGENESIS', 'DEVGENESIS'],
  [leaves.tokenId, hash, hash],
  [leaves.signature, '', ''],
  [leaves.accountId, address, address],
  [status, 0n, 'pending'],
  [status, 1n, 'duplicate'],
  [status, 2n, 'rejected'],
  [status, 3n, 'confirmed'],
  [feeType, 2n, 2],
  [yesOrNo, false, false],
  [nothing, null, null],
  [figure, 1n, 1n],
  [figure, 0.5, 0.5],
  [figure, 'x', 'x'],
  [anything, null, null],
  [leaves.orNull(text), null, null],
  [leaves.orNull(text), 'x', 'x'],
  [leaves.optional(text), undefined, undefined],
  [leaves.optional(text), 'x', 'x'],
  [leaves.list(text), ['x', 'y'], ['x', 'y']],
  [leaves.list(text), [], []],
  [leaves.dictionary(count), { x: 1n, y: 2n }, { x: 1, y: 2 }],
  [numberOrText, 'x', 'x'],
  [numberOrText, 1n, 1],
  [leaves.only('x', 'y'), 'y', 'y'],
]

const refused: readonly Case[] = [
  [amount, -1n, new Mismatch(-1n, 'an amount')],
  [amount, LARGEST + 1n, new Mismatch(LARGEST + 1n, 'an amount')],
  [amount, '', new Mismatch('', 'an amount')],
  [amount, '1.5', new Mismatch('1.5', 'an amount')],
  [amount, 1.5, new Mismatch(1.5, 'an amount')],
  [textDifference, '+5', new Mismatch('+5', 'an integer')],
  [netAmount, 'x', new Mismatch('x', 'an integer')],
  [canonicalInteger, '00', new Mismatch('00', 'a whole number of 64 bits')],
  [count, '7', new Mismatch('7', 'a whole number below 2^53')],
  [count, 2n ** 53n, new Mismatch(2n ** 53n, 'a whole number below 2^53')],
  [decimals, 11n, new Mismatch(11n, '0 to 10')],
  [decimal, '2', new Mismatch('2', 'a number')],
  [decimal, 10n ** 400n, new Mismatch(10n ** 400n, 'a number')],
  [flag, 2n, new Mismatch(2n, '0 or 1')],
  [flag, true, new Mismatch(true, '0 or 1')],
  [text, 1n, new Mismatch(1n, 'a text')],
  [symbol, null, new Mismatch(null, 'a text')],
  [leaves.address, `04${'ab'.repeat(32)}`, new Mismatch(`04${'ab'.repeat(32)}`, 'an address')],
  [leaves.hash, 'lower', new Mismatch('lower', 'a hash')],
  [status, 4n, new Mismatch(4n, '0, 1, 2 or 3')],
  [yesOrNo, 'true', new Mismatch('true', 'true or false')],
  [nothing, undefined, new Mismatch(undefined, 'null')],
  [figure, null, new Mismatch(null, 'a number or a text')],
  [leaves.orNull(text), undefined, new Mismatch(undefined, 'a text')],
  [leaves.optional(text), null, new Mismatch(null, 'a text')],
  [leaves.list(text), { 0: 'x' }, new Mismatch({ 0: 'x' }, 'a list')],
  [leaves.list(text), ['x', 1n], new Mismatch(1n, 'a text', ['1'])],
  [leaves.dictionary(count), [1n], new Mismatch([1n], 'an object')],
  [leaves.dictionary(count), { x: 1n, y: 'z' }, new Mismatch('z', 'a whole number below 2^53', ['y'])],
  [numberOrText, null, new Mismatch(null, 'one of several forms')],
  [leaves.only('x', 'y'), 'z', new Mismatch('z', 'x or y')],
]

describe('a value of the wire', () => {
  it('is read in each of its forms', () => {
    for (const [schema, wire, value] of read) expect([wire, schema.read(wire)]).toStrictEqual([wire, value])
  })

  it('is refused in any other, with what was expected and where', () => {
    for (const [schema, wire, mismatch] of refused)
      expect([wire, schema.read(wire)]).toStrictEqual([wire, mismatch])
  })

  it('drops a member that is named as the prototype', () => {
    const wire = JSON.parse('{"__proto__":"x","y":"z"}')
    expect(Object.entries(leaves.dictionary(text).read(wire) as object)).toEqual([['y', 'z']])
  })
})

describe('a value that is written', () => {
  /** Forms that the network prints otherwise than it accepts them. */
  const written: readonly Case[] = [
    [amount, BigInt(Number.MAX_SAFE_INTEGER), BigInt(Number.MAX_SAFE_INTEGER)],
    [amount, '9007199254740992', 9_007_199_254_740_992n],
    [bareAmount, LARGEST, LARGEST],
    [textAmount, '7', 7n],
    [textDifference, '-7', -7n],
    [canonicalInteger, '7', 7n],
    [netAmount, '7', { units: 7n, isComputed: true }],
    [netAmount, 7n, { units: 7n, isComputed: false }],
    [netAmount, '9007199254740992', { units: 9_007_199_254_740_992n, isComputed: true }],
    [count, 7n, 7],
    [decimal, 7n, 7],
    [decimal, 0.5, 0.5],
    [decimals, 10n, 10],
    [flag, 1n, true],
    [status, 3n, 'confirmed'],
    [feeType, 2n, 2],
    [nothing, null, null],
    [leaves.orNull(amount), null, null],
    [leaves.orNull(flag), 0n, false],
    [leaves.list(count), [1n, 2n], [1, 2]],
    [leaves.dictionary(count), { x: 1n, y: 2n }, { x: 1, y: 2 }],
    [numberOrText, 'x', 'x'],
    [numberOrText, 1n, 1],
    [record({ age: ['years', count], note: leaves.optional(text) }), { years: 7n }, { age: 7 }],
  ]

  it('has the form of the network', () => {
    for (const [schema, wire, value] of written)
      expect([value, encodeWith(schema, value)]).toStrictEqual([value, wire])
  })

  it('is a value of its schema, and read as it was', () => {
    expect(() => encodeWith(count, 1.5 as number)).toThrow(RangeError)
    expect(() => encodeWith(text as Schema<unknown>, 7n)).toThrow('A value that is written is not a text.')
    expect(() => encodeWith(symbol, 'A'.repeat(33))).toThrow('would be read as another')
    expect(() => encodeWith(numberOrText, true)).toThrow('none of its forms')
    expect(() => encodeWith(leaves.list(text) as Schema<unknown>, ['x', 7n])).toThrow(TypeError)
  })
})
