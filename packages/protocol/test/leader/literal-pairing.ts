/**
 * A literal implementation of PROTOCOL 8.6: affine, with its auxiliary point, slow, and without any code of src/. The
 * reference for the fast pairing.
 */
export type Element = readonly [c1: bigint, c0: bigint]
export type Point = readonly [x: Element, y: Element] | 'O'

const p = BigInt(
  '0x80000000000000000000000000000000000200014000000000000000000000000000000000010000800000020000000000000000000000000000000000080003',
)
const zero: Element = [0n, 0n]
const one: Element = [0n, 1n]

const mod = (n: bigint) => ((n % p) + p) % p
const add = (a: Element, b: Element): Element => [mod(a[0] + b[0]), mod(a[1] + b[1])]
const subtract = (a: Element, b: Element): Element => [mod(a[0] - b[0]), mod(a[1] - b[1])]
const same = (a: Element, b: Element) => a[0] === b[0] && a[1] === b[1]
const times = ([a1, a0]: Element, [b1, b0]: Element): Element => [
  mod(a1 * b0 + a0 * b1 - a1 * b1),
  mod(a0 * b0 + a1 * b1),
]

function inverseModP(n: bigint): bigint {
  let [r0, r1, t0, t1] = [p, n, 0n, 1n]
  while (r1 !== 0n) {
    const q = r0 / r1
    ;[r0, r1, t0, t1] = [r1, r0 - q * r1, t1, t0 - q * t1]
  }
  return mod(t0)
}

function divide(a: Element, b: Element): Element {
  if (same(b, zero)) throw new RangeError('division by zero: choose another S')
  const n = inverseModP(mod(b[1] * b[1] - b[1] * b[0] - b[0] * b[0]))
  return times(a, [mod(-b[0] * n), mod((b[1] - b[0]) * n)])
}

function literalPower(a: Element, exponent: bigint): Element {
  let result = one
  for (const bit of exponent.toString(2)) {
    result = times(result, result)
    if (bit === '1') result = times(result, a)
  }
  return result
}

const negative = (a: Point): Point => (a === 'O' ? 'O' : [a[0], subtract(zero, a[1])])
const samePoint = (a: Point, b: Point) =>
  a === 'O' || b === 'O' ? a === b : same(a[0], b[0]) && same(a[1], b[1])

/** Returns the slope of the line through two points, or of the tangent if they are equal. */
function slope(a: Exclude<Point, 'O'>, b: Exclude<Point, 'O'>): Element {
  if (!samePoint(a, b)) return divide(subtract(b[1], a[1]), subtract(b[0], a[0]))
  const square = times(a[0], a[0])
  return divide(add(add(square, square), add(square, one)), add(a[1], a[1]))
}

function literalSum(a: Point, b: Point): Point {
  if (a === 'O') return b
  if (b === 'O') return a
  if (samePoint(a, negative(b))) return 'O'
  const s = slope(a, b)
  const x = subtract(subtract(times(s, s), a[0]), b[0])
  return [x, subtract(times(s, subtract(a[0], x)), a[1])]
}

export function literalMultiple(scalar: bigint, a: Point): Point {
  let result: Point = 'O'
  for (const bit of scalar.toString(2)) {
    result = literalSum(result, result)
    if (bit === '1') result = literalSum(result, a)
  }
  return result
}

/** Value of the line through O and another point: as printed in 8.6, or as the divisor of f requires. */
export type LineThroughO = 'as printed' | 'one'

/** l(A, B) at R, the table of 8.6. */
function line(a: Point, b: Point, r: Exclude<Point, 'O'>, throughO: LineThroughO): Element {
  if (a === 'O' && b === 'O') return one
  if (a === 'O' || b === 'O') {
    const other = a === 'O' ? b : a
    return throughO === 'one' || other === 'O' ? one : subtract(r[0], other[0])
  }
  if (samePoint(b, negative(a))) return subtract(r[0], a[0])
  const s = slope(a, b)
  return divide(
    subtract(subtract(r[1], a[1]), times(s, subtract(r[0], a[0]))),
    subtract(add(add(r[0], a[0]), b[0]), times(s, s)),
  )
}

/** Returns f_A at several points; they share the points of the loop. */
function millerFunction(
  a: Point,
  places: readonly Exclude<Point, 'O'>[],
  throughO: LineThroughO,
): readonly Element[] {
  let t = a
  const f = places.map(() => one)
  for (const bit of (p + 1n).toString(2).slice(1)) {
    places.forEach((r, at) => {
      const value = f[at] ?? one
      f[at] = times(times(value, value), line(t, t, r, throughO))
    })
    t = literalSum(t, t)
    if (bit !== '1') continue
    places.forEach((r, at) => {
      f[at] = times(f[at] ?? one, line(t, a, r, throughO))
    })
    t = literalSum(t, a)
  }
  return f
}

/** e(A, B) = ( f_A(B + S) / f_A(S) )^(p-1). */
export function literalPairing(
  a: Point,
  b: Point,
  s: Exclude<Point, 'O'>,
  throughO: LineThroughO = 'as printed',
): Element {
  const shifted = literalSum(b, s)
  if (shifted === 'O') throw new RangeError('B + S is O: choose another S')
  const [above = one, below = one] = millerFunction(a, [shifted, s], throughO)
  return literalPower(divide(above, below), p - 1n)
}

/** Returns a square root in F_p² by the complex method, sqrt(5) = 2X + 1; null for a non-square. */
function literalSquareRoot(a: Element): Element | null {
  const root = (n: bigint) => {
    let result = 1n
    for (const bit of ((p + 1n) / 4n).toString(2)) result = (result * result * (bit === '1' ? n : 1n)) % p
    return (result * result) % p === n ? result : null
  }
  // a = u + v·sqrt(5), with sqrt(5) = 2X + 1
  const half = inverseModP(2n)
  const v = mod(a[0] * half)
  const u = mod(a[1] - v)
  const norm = root(mod(u * u - 5n * v * v))
  if (norm === null) return null
  for (const sign of [1n, -1n]) {
    const x = root(mod((u + sign * norm) * half))
    if (x === null || x === 0n) continue
    const y = mod(v * inverseModP(2n * x))
    const candidate: Element = [mod(2n * y), mod(x + y)]
    if (same(times(candidate, candidate), a)) return candidate
  }
  return null
}

/** Returns the first point of E(F_p²) whose x is x0, x0 + 1, … */
export function literalPointFrom(x0: Element): Exclude<Point, 'O'> {
  for (let x = x0; ; x = add(x, one)) {
    const y = literalSquareRoot(add(times(times(x, x), x), x))
    if (y !== null) return [x, y]
  }
}
