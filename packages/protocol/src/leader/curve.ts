import { type ExtensionElement, extensionField } from './extension-field.ts'
import { baseField, type Field } from './field.ts'

/** A point of y² = x³ + x with coordinates in one field; the neutral element O is `null`. */
type Point<T> = { readonly x: T; readonly y: T } | null

/** A point over F_p. */
export type BasePoint = Point<bigint>
/** A point over F_p². */
export type ExtensionPoint = Point<ExtensionElement>

/** X/Z², Y/Z³; Z is zero for O. */
type Jacobian<T> = { readonly X: T; readonly Y: T; readonly Z: T }

export type Curve<T> = {
  /** True for O and for every point that satisfies the equation. */
  readonly has: (point: Point<T>) => boolean
  readonly add: (a: Point<T>, b: Point<T>) => Point<T>
  readonly negate: (point: Point<T>) => Point<T>
  /** Returns scalar·point for scalar ≥ 0, in time that depends on the scalar. */
  readonly multiply: (scalar: bigint, point: Point<T>) => Point<T>
}

/** The curve y² = x³ + x over a field (PROTOCOL 8.1), in Jacobian coordinates: one inversion per result. */
function createCurve<T>(field: Field<T>): Curve<T> {
  const { add, subtract, multiply: times, isZero } = field
  const square = (a: T) => times(a, a)
  const twice = (a: T) => add(a, a)
  const neutral: Jacobian<T> = { X: field.one, Y: field.one, Z: subtract(field.one, field.one) }

  function double({ X, Y, Z }: Jacobian<T>): Jacobian<T> {
    const xx = square(X)
    const yy = square(Y)
    const s = twice(twice(times(X, yy)))
    const m = add(add(twice(xx), xx), square(square(Z)))
    const newX = subtract(square(m), twice(s))
    const newY = subtract(times(m, subtract(s, newX)), twice(twice(twice(square(yy)))))
    return { X: newX, Y: newY, Z: twice(times(Y, Z)) }
  }

  /** T + A for an affine A ≠ O. */
  function addAffine(t: Jacobian<T>, a: NonNullable<Point<T>>): Jacobian<T> {
    if (isZero(t.Z)) return { X: a.x, Y: a.y, Z: field.one }
    const zz = square(t.Z)
    const h = subtract(times(a.x, zz), t.X)
    const r = subtract(times(a.y, times(zz, t.Z)), t.Y)
    if (isZero(h)) return isZero(r) ? double(t) : neutral
    const hh = square(h)
    const hhh = times(h, hh)
    const v = times(t.X, hh)
    const newX = subtract(subtract(square(r), hhh), twice(v))
    return {
      X: newX,
      Y: subtract(times(r, subtract(v, newX)), times(t.Y, hhh)),
      Z: times(t.Z, h),
    }
  }

  function affine({ X, Y, Z }: Jacobian<T>): Point<T> {
    if (isZero(Z)) return null
    const inverse = field.invert(Z)
    const inverseSquare = square(inverse)
    return { x: times(X, inverseSquare), y: times(Y, times(inverse, inverseSquare)) }
  }

  return {
    has: (point) =>
      point === null || isZero(subtract(square(point.y), times(point.x, add(square(point.x), field.one)))),
    negate: (point) => (point === null ? null : { x: point.x, y: subtract(neutral.Z, point.y) }),
    add(a, b) {
      if (a === null) return b
      if (b === null) return a
      return affine(addAffine({ X: a.x, Y: a.y, Z: field.one }, b))
    },
    multiply(scalar, point) {
      if (point === null) return null
      let result = neutral
      for (const bit of scalar.toString(2)) {
        result = double(result)
        if (bit === '1') result = addAffine(result, point)
      }
      return affine(result)
    },
  }
}

/** The curve over F_p, which has the `s` of a leader's signature (PROTOCOL 8.1). */
export const baseCurve: Curve<bigint> = createCurve(baseField)
/** The curve over F_p², which has master public keys and the `r` of a leader's signature (PROTOCOL 8.1). */
export const extensionCurve: Curve<ExtensionElement> = createCurve(extensionField)

/** The same point over F_p². */
export const embed = (point: BasePoint): ExtensionPoint =>
  point === null ? null : { x: { c1: 0n, c0: point.x }, y: { c1: 0n, c0: point.y } }
