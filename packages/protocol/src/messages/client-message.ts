import type { JsonValue } from '../json.ts'
import { isWireObject } from '../schema/record.ts'
import { isVersion, type JsonObject, member, readFrame } from './envelope.ts'

/**
 * A message of a miner with its values as received. The acceptance rules judge them one by one (PROTOCOL 5.8), so
 * nothing is refused here because of its form.
 */
export type ClientMessage =
  | { readonly kind: 'hail'; readonly hasVersion: boolean; readonly data: HailData }
  | { readonly kind: 'publish'; readonly hasVersion: boolean; readonly data: PublishData }
  | { readonly kind: 'other'; readonly hasVersion: boolean; readonly method: string | null }
  | { readonly kind: 'nonsense'; readonly reason: string }

/** Data of a hail as received. A gateway checks each member before use. */
export type HailData = {
  readonly id: JsonValue | undefined
  readonly token: JsonValue | undefined
  readonly hash: JsonValue | undefined
  readonly signature: JsonValue | undefined
  readonly referrer: JsonValue | undefined
}

/** Data of a publication as received. A gateway checks each member before use. */
export type PublishData = {
  readonly id: JsonValue | undefined
  readonly token: JsonValue | undefined
  readonly keyBlockHash: JsonValue | undefined
  readonly microblockHash: JsonValue | undefined
  readonly signature: JsonValue | undefined
  readonly referrer: JsonValue | undefined
}

/** Limit for frames of miners, in bytes; regular ones are below 2 kB. */
export const CLIENT_FRAME_LIMIT_BYTES = 64 * 1024

/** Parses one frame of a miner. Never throws. `hasVersion` is true if `ver` is the number 4. */
export function parseClientMessage(text: string): ClientMessage {
  const frame = readFrame(text, CLIENT_FRAME_LIMIT_BYTES)
  if (frame.kind === 'malformed') return { kind: 'nonsense', reason: frame.reason }
  const { object } = frame
  const hasVersion = isVersion(member(object, 'ver'))
  const method = member(object, 'method')
  const given = member(object, 'data')
  const data: JsonObject = isWireObject(given) ? given : {}
  if (method === 'hail') return { kind: 'hail', hasVersion, data: hailData(data) }
  if (method === 'publish') return { kind: 'publish', hasVersion, data: publishData(data) }
  return { kind: 'other', hasVersion, method: typeof method === 'string' ? method : null }
}

const hailData = (data: JsonObject): HailData => ({
  id: member(data, 'id'),
  token: member(data, 'token'),
  hash: member(data, 'hash'),
  signature: member(data, 'sign'),
  referrer: member(data, 'referrer'),
})

const publishData = (data: JsonObject): PublishData => ({
  id: member(data, 'id'),
  token: member(data, 'token'),
  keyBlockHash: member(data, 'kblocks_hash'),
  microblockHash: member(data, 'm_hash'),
  signature: member(data, 'sign'),
  referrer: member(data, 'referrer'),
})
