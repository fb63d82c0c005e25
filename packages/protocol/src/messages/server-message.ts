import type { JsonValue } from '../json.ts'
import { amount, text } from '../schema/leaves.ts'
import { decodeWith, isWireObject, record } from '../schema/record.ts'
import { type Beacon, parseBeacon } from './beacon.ts'
import { isVersion, readFrame } from './envelope.ts'

/** A message of a gateway. `ignored` is normal, `malformed` is a fault of the gateway. */
export type ServerMessage =
  | { readonly kind: 'beacon'; readonly beacon: Beacon }
  | { readonly kind: 'error'; readonly code: string }
  | { readonly kind: 'peer'; readonly host: string; readonly port: number }
  | { readonly kind: 'ignored'; readonly reason: string }
  | { readonly kind: 'malformed'; readonly reason: string }

/**
 * Default limit for frames of gateways: 512 KiB. A public gateway offers at most 50 transactions, of 1.1 kB each and
 * 4 kB if every character of their data is escaped; twice as many fit.
 */
export const FRAME_LIMIT_BYTES = 512 * 1024

const peerData = record({ host: ['ip', text], port: amount })

const malformed = (reason: string): ServerMessage => ({ kind: 'malformed', reason })

/**
 * Parses one frame of a gateway or a boot node. Never throws. Errors have no method, so they are checked first; a boot
 * node may leave out `ver` and `method` (PROTOCOL 5.4).
 */
export function parseServerMessage(frame: string, limitBytes: number = FRAME_LIMIT_BYTES): ServerMessage {
  const read = readFrame(frame, limitBytes)
  if (read.kind === 'malformed') return read
  // None of these names is inherited.
  const { err, ver, method, data } = read.object
  if (err !== undefined) {
    return typeof err === 'string'
      ? { kind: 'error', code: err.slice(0, 200) }
      : malformed('err is not a text')
  }
  if (isShortPeer(ver, method) && isWireObject(data)) return peerMessage(data)
  if (!isVersion(ver)) return malformed('ver is not the number 4')
  if (method === 'on_leader_beacon') return beaconMessage(data)
  if (method === 'peer') return peerMessage(data)
  return typeof method === 'string'
    ? { kind: 'ignored', reason: 'unknown method' }
    : malformed('method is not a text')
}

/**
 * Parses one frame of a boot node: whatever names `ip` and `port`, in `data` or by itself, names a gateway, as public
 * wallets read it (PROTOCOL 5.4). Anything else is ignored.
 */
export function parseBootNodeMessage(frame: string, limitBytes: number = FRAME_LIMIT_BYTES): ServerMessage {
  const read = readFrame(frame, limitBytes)
  if (read.kind === 'malformed') return read
  const inData = peerMessage(read.object.data)
  return inData.kind === 'peer' ? inData : peerMessage(read.object)
}

/** True if `ver` and `method` are a combination allowed around a gateway's address when one of them is missing. */
const isShortPeer = (ver: unknown, method: unknown): boolean =>
  ver === undefined ? method === undefined || method === 'peer' : isVersion(ver) && method === undefined

function beaconMessage(data: JsonValue | undefined): ServerMessage {
  const decoded = parseBeacon(data)
  return decoded.ok
    ? { kind: 'beacon', beacon: decoded.value }
    : malformed(`beacon: ${decoded.problem.reason}`)
}

function peerMessage(data: JsonValue | undefined): ServerMessage {
  const decoded = decodeWith(peerData, data)
  if (decoded.ok) {
    const { host, port } = decoded.value
    if (/^[0-9A-Za-z.:[\]-]{1,253}$/.test(host) && port >= 1 && port <= 65535)
      return { kind: 'peer', host, port: Number(port) }
  }
  return malformed('peer without a usable ip and port')
}
