/**
 * The pairing e(A, B) of PROTOCOL 8.6 for A over F_p and B over F_p², without its auxiliary point.
 *
 * 8.6 defines e(A, B) = ( f(B + S) / f(S) )^(p-1), where f has the divisor M(A) - M(O) and M = p + 1. Here it is
 * computed as f(B)^(p-1). The two are equal for every A and B, whatever their order:
 *
 * 1. Let f be normalised at O (f·u^M = 1 there, u = x/y) and h a function with the divisor
 *    (B+S) - (S) - (B) + (O). The product of the tame symbols of f and h over all points is 1 (Weil reciprocity):
 *    f(B+S)/f(S) = f(B)·w^M with w = h(A)/(leading coefficient of h at O) in F_p²*. The power p-1 makes w^M
 *    to w^(p²-1) = 1. This needs B not in {O, A}.
 * 2. When B is over F_p too, take S over F_p: the quotient is in F_p*, so e(A, B) = 1. B = O and B = A belong here.
 *
 * (The table of lines in 8.6 gives X - x(A) for a line through O and A. As a factor of f it has to be 1, and is
 * here. It is met only when T = O before an addition: when the order of A divides one of eight prefixes of M, as
 * 2, 4 and 2^159 + 2^17 + 1 do. There the text of 8.6 depends on S, and this function is the bilinear one.)
 *
 * The power p-1 sends F_p* to 1, so factors in F_p are dropped at will:
 * - Lines are multiplied by their denominators, and T runs in Jacobian coordinates.
 * - 1/v is replaced by the conjugate of v, since v·conj(v) is the norm. For lines of points over F_p the conjugate
 *   at B is the value at conj(B).
 * - Two doublings need no vertical line: with l_P the tangent at P and v_P the vertical, l_P·l_-P = v_P²·v_2P, hence
 *   f_4n = f_n⁴·l_T²·l_2T / (v_2T²·v_4T) = (f_n²·l_T)² / l_-2T, and l_-2T at conj(B) is, up to sign, l_2T at -conj(B).
 *
 * Nothing vanishes on the way: lines and verticals of points over F_p meet the curve in points over F_p only, and
 * B is not one of them. At T = O and at points of order 2 the Jacobian formulas yield a constant and the
 * vertical line, as they should.
 */
import type { BasePoint, ExtensionPoint } from './curve.ts'
import {
  conjugate,
  type ExtensionElement,
  extensionOne,
  invert,
  isInBaseField,
  multiply,
} from './extension-field.ts'
import { FIELD_PRIME, GROUP_ORDER } from './field.ts'

const P = FIELD_PRIME

/** Arguments of a pairing: `a` over F_p, `b` over F_p². */
export type PairingInput = { readonly a: BasePoint; readonly b: ExtensionPoint }

/** State of one pairing: T in Jacobian coordinates, and the two points at which lines are evaluated. */
type Walk = {
  readonly a: NonNullable<BasePoint>
  readonly b: NonNullable<ExtensionPoint>
  /** -conj(B) */
  readonly mirrored: NonNullable<ExtensionPoint>
  X: bigint
  Y: bigint
  Z: bigint
}

/** The accumulated value, up to a factor in F_p*. Coefficients may be negative: only products are taken of them. */
type Accumulator = { c1: bigint; c0: bigint }

function startWalk({ a, b }: PairingInput): Walk | null {
  if (a === null || b === null || (isInBaseField(b.x) && isInBaseField(b.y))) return null
  const y = conjugate(b.y)
  const mirrored = { x: conjugate(b.x), y: { c1: -y.c1, c0: -y.c0 } }
  return { a, b, mirrored, X: a.x, Y: a.y, Z: 1n }
}

function square(f: Accumulator): void {
  const { c1, c0 } = f
  f.c1 = (c1 * (2n * c0 - c1)) % P
  f.c0 = (c0 * c0 + c1 * c1) % P
}

function accumulate(f: Accumulator, c1: bigint, c0: bigint): void {
  const high = f.c1 * c1
  const low = f.c0 * c0
  f.c1 = ((f.c1 + f.c0) * (c1 + c0) - low - 2n * high) % P
  f.c0 = (low + high) % P
}

/** f·l with l = forY·y - forX·x + constant at the place. */
function accumulateLine(
  f: Accumulator,
  { x, y }: NonNullable<ExtensionPoint>,
  line: { readonly forY: bigint; readonly forX: bigint; readonly constant: bigint },
): void {
  const { forY, forX, constant } = line
  accumulate(f, (forY * y.c1 - forX * x.c1) % P, (forY * y.c0 - forX * x.c0 + constant) % P)
}

/** f·l_T at the place, T = 2T: nine products for the point, ten for the line. */
function doubleStep(f: Accumulator, walk: Walk, place: NonNullable<ExtensionPoint>): void {
  const { X, Y, Z } = walk
  const yy = (Y * Y) % P
  const zz = (Z * Z) % P
  const m = (3n * X * X + zz * zz) % P
  const s = (4n * X * yy) % P
  walk.X = (m * m - 2n * s) % P
  walk.Y = (m * (s - walk.X) - 8n * yy * yy) % P
  walk.Z = (2n * Y * Z) % P
  accumulateLine(f, place, { forY: (walk.Z * zz) % P, forX: (m * zz) % P, constant: m * X - 2n * yy })
}

/** f / v_T at B. */
function divideByVertical(f: Accumulator, { mirrored, X, Z }: Walk): void {
  const zz = (Z * Z) % P
  accumulate(f, (zz * mirrored.x.c1) % P, (zz * mirrored.x.c0 - X) % P)
}

/** f·l_T,A / v_T+A at B, T = T + A. */
function addStep(f: Accumulator, walk: Walk): void {
  const { a, b, X, Y, Z } = walk
  if (Z === 0n) {
    Object.assign(walk, { X: a.x, Y: a.y, Z: 1n })
    return
  }
  const zz = (Z * Z) % P
  const h = (a.x * zz - X) % P
  const r = (a.y * zz * Z - Y) % P
  if (h === 0n && r === 0n) {
    doubleStep(f, walk, b)
  } else {
    const hh = (h * h) % P
    const hhh = (h * hh) % P
    const v = (X * hh) % P
    walk.X = (r * r - hhh - 2n * v) % P
    walk.Y = (r * (v - walk.X) - Y * hhh) % P
    walk.Z = (Z * h) % P
    accumulateLine(f, b, { forY: walk.Z, forX: r, constant: r * a.x - walk.Z * a.y })
  }
  divideByVertical(f, walk)
}

/** The bits of M after the leading one; eight of the 511 are set. */
const bits = [...GROUP_ORDER.toString(2).slice(1)].map((bit) => bit === '1')

/** Returns the product of f_A(B) over all pairs, up to a factor in F_p*; the squarings are shared. */
function millerProduct(pairs: readonly PairingInput[]): ExtensionElement {
  const walks = pairs.map(startWalk).filter((walk) => walk !== null)
  const f: Accumulator = { ...extensionOne }
  for (let at = 0; at < bits.length; at++) {
    square(f)
    for (const walk of walks) doubleStep(f, walk, walk.b)
    if (bits[at] === false && at + 1 < bits.length) {
      at++
      square(f)
      for (const walk of walks) doubleStep(f, walk, walk.mirrored)
    } else {
      for (const walk of walks) divideByVertical(f, walk)
    }
    if (bits[at] === true) for (const walk of walks) addStep(f, walk)
  }
  return f
}

/** Returns e(a, b), in the group of the (p+1)-th roots of unity. Both points must be on the curve. */
export function pairing(input: PairingInput): ExtensionElement {
  const f = millerProduct([input])
  return multiply(conjugate(f), invert(f))
}

/**
 * True if the product of the pairings is 1. The points must be on the curve.
 *
 * f^(p-1) = 1 exactly if f is in F_p, so no final power and no inversion are needed.
 */
export const isPairingProductOne = (pairs: readonly PairingInput[]): boolean =>
  millerProduct(pairs).c1 % P === 0n
