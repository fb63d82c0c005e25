import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  type BasePoint,
  baseCurve,
  type ExtensionPoint,
  embed,
  extensionCurve,
} from '../../src/leader/curve.ts'
import { type ExtensionElement, extensionOne, multiply } from '../../src/leader/extension-field.ts'
import { FIELD_PRIME, GROUP_ORDER } from '../../src/leader/field.ts'
import { hashToPoint } from '../../src/leader/hash-to-point.ts'
import { isPairingProductOne, pairing } from '../../src/leader/pairing.ts'
import { type LineThroughO, literalPairing, literalPointFrom, type Point } from './literal-pairing.ts'

const SLOW_MS = 600_000
const BIG_PRIME = 2n ** 159n + 2n ** 17n + 1n

const numbers = fc.bigInt(1n, FIELD_PRIME - 1n)
const basePoints = numbers.map((n): BasePoint => hashToPoint(n))
const extensionPoints = fc.tuple(numbers, numbers).map((x) => fromLiteral(literalPointFrom(x)))
const scalars = fc.bigInt(0n, GROUP_ORDER)

function fromLiteral(point: Point): ExtensionPoint {
  if (point === 'O') return null
  const [[x1, x0], [y1, y0]] = point
  return { x: { c1: x1, c0: x0 }, y: { c1: y1, c0: y0 } }
}

function toLiteral(point: ExtensionPoint): Point {
  if (point === null) return 'O'
  const { x, y } = point
  return [
    [x.c1, x.c0],
    [y.c1, y.c0],
  ]
}

function literal(a: BasePoint, b: ExtensionPoint, s: ExtensionPoint, throughO?: LineThroughO) {
  // If S is B or -B, 8.6 divides 0 by 0: such an S cannot be chosen.
  fc.pre(b?.x.c0 !== s?.x.c0 || b?.x.c1 !== s?.x.c1)
  const place = toLiteral(s)
  if (place === 'O') throw new RangeError('S is O')
  const [c1, c0] = literalPairing(toLiteral(embed(a)), toLiteral(b), place, throughO)
  return { c1, c0 }
}

function powerOf(value: ExtensionElement, exponent: bigint): ExtensionElement {
  let result = extensionOne
  for (const bit of exponent.toString(2)) {
    result = multiply(result, result)
    if (bit === '1') result = multiply(result, value)
  }
  return result
}

/** Returns a point over F_p of exactly this order, a divisor of p + 1. */
function pointOfOrder(order: bigint): BasePoint {
  for (let n = 1n; ; n++) {
    const point = baseCurve.multiply(GROUP_ORDER / order, hashToPoint(n))
    const isWhole = [2n, 197n, 263n, BIG_PRIME].every(
      (prime) => order % prime !== 0n || baseCurve.multiply(order / prime, point) !== null,
    )
    if (isWhole && baseCurve.multiply(order, point) === null) return point
  }
}

describe('the pairing', () => {
  it('equals the pairing of 8.6, whatever the auxiliary point of that', { timeout: SLOW_MS }, () => {
    const claim = fc.property(basePoints, extensionPoints, extensionPoints, (a, b, s) => {
      expect(pairing({ a, b })).toEqual(literal(a, b, s))
    })
    fc.assert(claim, { numRuns: 4 })
  })

  it('equals the pairing of 8.6 where that is 1: both points over F_p', { timeout: SLOW_MS }, () => {
    const claim = fc.property(basePoints, basePoints, extensionPoints, (a, b, s) => {
      expect(pairing({ a, b: embed(b) })).toEqual(extensionOne)
      expect(literal(a, embed(b), s)).toEqual(extensionOne)
      expect(literal(a, embed(a), s)).toEqual(extensionOne)
    })
    fc.assert(claim, { numRuns: 2 })
  })

  it.each([2n, 4n, 197n, 263n, 197n * 263n, 4n * 197n, 788n * 263n, BIG_PRIME, 4n * BIG_PRIME])(
    'equals the pairing of 8.6, with 1 for lines through O, for a point of order %d',
    { timeout: SLOW_MS },
    (order) => {
      const a = pointOfOrder(order)
      const claim = fc.property(extensionPoints, extensionPoints, (b, s) => {
        const value = pairing({ a, b })
        expect(value).toEqual(literal(a, b, s, 'one'))
        expect(powerOf(value, order)).toEqual(extensionOne)
      })
      fc.assert(claim, { numRuns: 2 })
    },
  )

  it('meets no line through O for orders that divide no prefix of p + 1', { timeout: SLOW_MS }, () => {
    const a = pointOfOrder(197n)
    const claim = fc.property(extensionPoints, extensionPoints, (b, s) => {
      expect(pairing({ a, b })).toEqual(literal(a, b, s, 'as printed'))
    })
    fc.assert(claim, { numRuns: 2 })
  })

  it('is bilinear', { timeout: SLOW_MS }, () => {
    const claim = fc.property(basePoints, extensionPoints, scalars, scalars, (a, b, m, n) => {
      const expected = powerOf(pairing({ a, b }), m * n)
      expect(pairing({ a: baseCurve.multiply(m, a), b: extensionCurve.multiply(n, b) })).toEqual(expected)
    })
    fc.assert(claim, { numRuns: 10 })
  })

  it('is additive in both arguments', { timeout: SLOW_MS }, () => {
    const claim = fc.property(basePoints, basePoints, extensionPoints, extensionPoints, (a, c, b, d) => {
      expect(pairing({ a: baseCurve.add(a, c), b })).toEqual(
        multiply(pairing({ a, b }), pairing({ a: c, b })),
      )
      expect(pairing({ a, b: extensionCurve.add(b, d) })).toEqual(
        multiply(pairing({ a, b }), pairing({ a, b: d })),
      )
    })
    fc.assert(claim, { numRuns: 8 })
  })

  it('is 1 when a point is O', () => {
    const [a, b] = [hashToPoint(1n), fromLiteral(literalPointFrom([1n, 1n]))]
    expect(pairing({ a: null, b })).toEqual(extensionOne)
    expect(pairing({ a, b: null })).toEqual(extensionOne)
  })

  it.each([2n, 4n, 197n, 263n, BIG_PRIME])('is not 1 everywhere for a point of order %d', (order) => {
    const a = pointOfOrder(order)
    const values = [1n, 2n, 3n, 4n, 5n, 6n, 7n, 8n].map((n) =>
      pairing({ a, b: fromLiteral(literalPointFrom([n, n])) }),
    )
    expect(values).toContainEqual(expect.not.objectContaining(extensionOne))
  })

  it('knows when a product is 1', { timeout: SLOW_MS }, () => {
    const claim = fc.property(basePoints, extensionPoints, scalars, (a, b, n) => {
      const many = baseCurve.multiply(n, a)
      const negative = baseCurve.negate(a)
      const pairs = [
        { a: many, b },
        { a: negative, b: extensionCurve.multiply(n, b) },
      ]
      expect(isPairingProductOne(pairs)).toBe(true)
      expect(isPairingProductOne([...pairs, { a, b }])).toBe(false)
      expect(isPairingProductOne([...pairs, { a, b }, { a: negative, b }])).toBe(true)
    })
    fc.assert(claim, { numRuns: 8 })
  })
})
