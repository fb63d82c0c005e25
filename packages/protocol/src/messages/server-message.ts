import type { JsonValue } from '../json.ts'
import { type Beacon, parseBeacon } from './beacon.ts'
import { isObject, type JsonObject, member, PROTOCOL_VERSION, readFrame } from './envelope.ts'

/** What a gateway can say. `ignored` is normal, `malformed` is a fault of the gateway. */
export type ServerMessage =
  | { readonly kind: 'beacon'; readonly beacon: Beacon }
  | { readonly kind: 'error'; readonly code: string }
  | { readonly kind: 'peer'; readonly host: string; readonly port: number }
  | { readonly kind: 'ignored'; readonly reason: string }
  | { readonly kind: 'malformed'; readonly reason: string }

/** Largest frame that is read. @default 4 MiB */
export const FRAME_LIMIT_BYTES = 4 * 1024 * 1024

/** Reads one frame of a gateway. Never throws; errors have no method, so they are looked for first. */
export function parseServerMessage(text: string, limitBytes: number = FRAME_LIMIT_BYTES): ServerMessage {
  const frame = readFrame(text, limitBytes)
  if (frame.kind === 'nonsense') return { kind: 'ignored', reason: frame.reason }
  const code = member(frame.object, 'err')
  if (code !== undefined) return errorMessage(code)
  const version = member(frame.object, 'ver')
  if (version !== BigInt(PROTOCOL_VERSION)) return { kind: 'malformed', reason: 'ver is not the number 4' }
  return methodMessage(frame.object)
}

function errorMessage(code: JsonValue): ServerMessage {
  if (typeof code === 'string' && code.length <= 200) return { kind: 'error', code }
  return { kind: 'malformed', reason: 'err is not a short text' }
}

function methodMessage(object: JsonObject): ServerMessage {
  const method = member(object, 'method')
  const data = member(object, 'data')
  if (method === 'on_leader_beacon') return beaconMessage(data)
  if (method === 'peer') return peerMessage(data)
  if (typeof method !== 'string') return { kind: 'malformed', reason: 'method is not a text' }
  return { kind: 'ignored', reason: 'unknown method' }
}

function beaconMessage(data: JsonValue | undefined): ServerMessage {
  const decoded = parseBeacon(data)
  return decoded.ok
    ? { kind: 'beacon', beacon: decoded.value }
    : { kind: 'malformed', reason: `beacon: ${decoded.problem.reason}` }
}

function peerMessage(data: JsonValue | undefined): ServerMessage {
  if (!isObject(data)) return { kind: 'malformed', reason: 'peer without data' }
  const host = member(data, 'ip')
  const port = Number(portText(member(data, 'port')))
  const isHost = typeof host === 'string' && /^[0-9A-Za-z.:[\]-]{1,253}$/.test(host)
  if (!isHost || !(port >= 1 && port <= 65535)) {
    return { kind: 'malformed', reason: 'peer without a usable ip and port' }
  }
  return { kind: 'peer', host, port }
}

const portText = (port: JsonValue | undefined): string =>
  (typeof port === 'string' || typeof port === 'bigint') && /^\d{1,5}$/.test(String(port))
    ? String(port)
    : 'NaN'
