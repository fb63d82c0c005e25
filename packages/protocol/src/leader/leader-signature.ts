import { isNodeError } from '../errors/node-error.ts'
import { type JsonValue, parseJson } from '../json.ts'
import { listElement } from './coefficient-text.ts'
import { type BasePoint, baseCurve, type ExtensionPoint, extensionCurve } from './curve.ts'
import { type ExtensionElement, isInBaseField } from './extension-field.ts'

/** A coordinate: decimal coefficients from the highest, `[c1, c0]`, `[c0]` for a constant, `[]` for zero. */
type Coordinate = readonly string[]

/** A leader's signature in beacons and key blocks (PROTOCOL 8.5). */
export type LeaderSignature = {
  /** Random point over F_p². */
  readonly r: { readonly x: Coordinate; readonly y: Coordinate }
  /** Point over F_p. */
  readonly s: { readonly x: Coordinate; readonly y: Coordinate }
}

/** Points of a signature that are valid for the pairing. */
export type SignaturePoints = {
  readonly r: NonNullable<ExtensionPoint>
  readonly s: NonNullable<BasePoint>
}

export type SignatureFault = 'signatureMalformed' | 'signaturePointNotAllowed'

const members = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null ? { ...value } : {}

function coordinatesOf(point: unknown): readonly [ExtensionElement, ExtensionElement] | null {
  const { x, y } = members(point)
  const [first, second] = [listElement(x), listElement(y)]
  return first === null || second === null ? null : [first, second]
}

/**
 * Parses the two points of a signature, which is not trusted. Refuses coefficients that are not canonical decimals
 * below p, an `s` outside F_p, points off the curve, and (0, 0): its lists are empty, as those of the neutral element
 * would be, and no signer produces it.
 */
export function readSignaturePoints(signature: unknown): SignaturePoints | SignatureFault {
  const { r: rGiven, s: sGiven } = members(signature)
  const [r, s] = [coordinatesOf(rGiven), coordinatesOf(sGiven)]
  if (r === null || s === null) return 'signatureMalformed'
  const rPoint = { x: r[0], y: r[1] }
  const sPoint = { x: s[0].c0, y: s[1].c0 }
  const isAllowed =
    s.every(isInBaseField) &&
    baseCurve.has(sPoint) &&
    extensionCurve.has(rPoint) &&
    sPoint.x !== 0n &&
    (rPoint.x.c0 !== 0n || rPoint.x.c1 !== 0n)
  return isAllowed ? { r: rPoint, s: sPoint } : 'signaturePointNotAllowed'
}

const isTextList = (value: JsonValue | undefined): value is readonly string[] =>
  Array.isArray(value) && value.every((item) => typeof item === 'string')

function textPointOf(value: JsonValue | undefined): LeaderSignature['r'] | null {
  const { x, y } = members(value) as Readonly<Record<string, JsonValue | undefined>>
  return isTextList(x) && isTextList(y) ? { x, y } : null
}

/** Limit in bytes; a signature has about 1.1 kB of text. */
const LIMIT_BYTES = 4096

/**
 * Parses the `leader_sign` of a key block, the bytes of a JSON text (PROTOCOL 3.5.2); null for anything else. Checks
 * only the shape; the verification checks the points.
 */
export function parseLeaderSignature(
  bytes: Iterable<number> & { readonly length: number },
): LeaderSignature | null {
  if (bytes.length > LIMIT_BYTES) return null
  const codes = [...bytes]
  if (!codes.every((code) => Number.isInteger(code) && code >= 0 && code < 128)) return null
  try {
    const { r, s } = members(parseJson(String.fromCharCode(...codes)))
    const points = { r: textPointOf(r as JsonValue), s: textPointOf(s as JsonValue) }
    return points.r === null || points.s === null ? null : { r: points.r, s: points.s }
  } catch (error) {
    if (isNodeError(error, 'JSON_MALFORMED')) return null
    throw error
  }
}
