import { NodeError } from '../errors/node-error.ts'
import { type JsonValue, parseJson } from '../json.ts'
import { isWireObject } from '../schema/record.ts'

/** Version of the proof-of-activity socket protocol; the number, never the text (PROTOCOL 5.1). */
export const PROTOCOL_VERSION = 4

/** 4.0 is the number 4 too; some JSON writers know no other form. */
export const isVersion = (value: unknown): boolean =>
  value === BigInt(PROTOCOL_VERSION) || value === PROTOCOL_VERSION

export type JsonObject = { readonly [key: string]: JsonValue | undefined }

/** An own member, never one that every object inherits. */
export const member = (object: JsonObject, name: string): JsonValue | undefined =>
  Object.hasOwn(object, name) ? object[name] : undefined

export type Frame =
  | { readonly kind: 'object'; readonly object: JsonObject }
  | { readonly kind: 'nonsense'; readonly reason: string }

/** Reads one socket frame. Whatever is not a JSON object is nonsense, never an exception. */
export function readFrame(text: string, limitBytes: number): Frame {
  try {
    const value = parseJson(text, { limitBytes })
    return isWireObject(value)
      ? { kind: 'object', object: value }
      : { kind: 'nonsense', reason: 'the frame is not a JSON object' }
  } catch (error) {
    if (error instanceof NodeError) return { kind: 'nonsense', reason: error.message }
    throw error
  }
}
