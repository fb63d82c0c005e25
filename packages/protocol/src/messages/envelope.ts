import { NodeError } from '../errors/node-error.ts'
import { type JsonValue, parseJson } from '../json.ts'
import { isWireObject } from '../schema/record.ts'

/** Version of the proof-of-activity socket protocol, a number on the wire, never a text (PROTOCOL 5.1). */
export const PROTOCOL_VERSION = 4

/** True for 4 and 4.0; some JSON writers print only the latter. */
export const isVersion = (value: unknown): boolean =>
  value === BigInt(PROTOCOL_VERSION) || value === PROTOCOL_VERSION

export type JsonObject = { readonly [key: string]: JsonValue | undefined }

/** Returns an own member, never an inherited one. */
export const member = (object: JsonObject, name: string): JsonValue | undefined =>
  Object.hasOwn(object, name) ? object[name] : undefined

export type Frame =
  | { readonly kind: 'object'; readonly object: JsonObject }
  | { readonly kind: 'malformed'; readonly reason: string }

/** Parses one socket frame. Anything but a JSON object is returned as `malformed`, never thrown. */
export function readFrame(text: string, limitBytes: number): Frame {
  try {
    const value = parseJson(text, { limitBytes })
    return isWireObject(value)
      ? { kind: 'object', object: value }
      : { kind: 'malformed', reason: 'the frame is not a JSON object' }
  } catch (error) {
    if (error instanceof NodeError) return { kind: 'malformed', reason: error.message }
    throw error
  }
}
