import type { IncomingMessage } from 'node:http'
import { addressBlock } from '@hailstone/runtime/node'
import { type Allowance, createAllowance } from './allowance.ts'
import type { BridgeLimits } from './bridge-settings.ts'

/** Reason why a client is refused; also the label of the metric. */
export type BridgeRefusal =
  | 'draining'
  | 'origin'
  | 'full'
  | 'address_full'
  | 'too_often'
  | 'unknown_gateway'
  | 'gateway_failed'

export type Admission = {
  /** Undefined lets in. Whoever is let in has to be let out again. */
  readonly judge: (request: IncomingMessage) => BridgeRefusal | undefined
  readonly enter: (address: string) => void
  readonly leave: (address: string) => void
  /** Returns the key by which sessions are counted: an IPv4 address, or the block of an IPv6 address. */
  readonly addressOf: (request: IncomingMessage) => string
}

const MINUTE_S = 60
/** More addresses than this are not remembered at once; those that did nothing lately are forgotten first. */
const MAX_ADDRESSES = 100_000

/** Decides who may open a session: by page, by address, and by how many there are. */
export function createAdmission(parameters: {
  readonly limits: BridgeLimits
  readonly allowedOrigins: ReadonlySet<string> | undefined
  readonly isBehindProxy: boolean
  readonly now: () => number
}): Admission {
  const { limits, allowedOrigins, isBehindProxy, now } = parameters
  const sessions = new Map<string, number>()
  const opens = new Map<string, Allowance>()
  let total = 0

  const addressOf = (request: IncomingMessage): string => {
    // What stands last was written by the proxy in front of us; what stands before it is anybody's.
    const forwarded = isBehindProxy ? String(request.headers['x-forwarded-for'] ?? '') : ''
    return addressBlock(forwarded.split(',').at(-1)?.trim() || (request.socket.remoteAddress ?? ''))
  }

  function mayOpen(address: string): boolean {
    if (opens.size > MAX_ADDRESSES) for (const [one, left] of opens) if (left.isFull()) opens.delete(one)
    const most = limits.opensPerMinute
    const allowance = opens.get(address) ?? createAllowance({ perSecond: most / MINUTE_S, most, now })
    opens.set(address, allowance)
    return allowance.take()
  }

  return {
    addressOf,
    judge: (request) => {
      const { origin } = request.headers
      if (origin !== undefined && allowedOrigins !== undefined && !allowedOrigins.has(origin)) return 'origin'
      if (total >= limits.sessions) return 'full'
      const address = addressOf(request)
      if ((sessions.get(address) ?? 0) >= limits.sessionsPerAddress) return 'address_full'
      return mayOpen(address) ? undefined : 'too_often'
    },
    enter: (address) => {
      total++
      sessions.set(address, (sessions.get(address) ?? 0) + 1)
    },
    leave: (address) => {
      total--
      const left = (sessions.get(address) ?? 1) - 1
      if (left > 0) sessions.set(address, left)
      else sessions.delete(address)
    },
  }
}
