import type { Logger } from '@hailstone/client'
import { FRAME_LIMIT_BYTES, NodeError, written } from '@hailstone/protocol'
import { canParseUrl } from '@hailstone/runtime'

/** Limits of one bridge. */
export type BridgeLimits = {
  /** Sessions at a time. @default 4000 */
  readonly sessions: number
  /** Of these from one address. @default 64 */
  readonly sessionsPerAddress: number
  /**
   * Connections at a time, those included that have not asked for a session yet; never more than the open files of the
   * process allow. When there are too many, the oldest without a session is ended. @default 1000 above `sessions`
   */
  readonly connections: number
  /** Of these from one address, unless it is that of a proxy. @default 64 above `sessionsPerAddress` */
  readonly connectionsPerAddress: number
  /** New sessions of one address in a minute. @default 120 */
  readonly opensPerMinute: number
  /** Messages, pings and pongs from one client in a second, with twice as many at once. @default 20 */
  readonly framesPerSecond: number
  /** Largest frame of a client, which only ever hails and publishes. @default 16384 */
  readonly clientFrameBytes: number
  /** Largest frame of a gateway. @default 524288 */
  readonly gatewayFrameBytes: number
  /** Bytes that may be queued for a slow reader before it is disconnected. @default 8388608 */
  readonly waitingBytes: number
  /** For the gateway to answer, and for a client to ask for a session. @default 5000 */
  readonly openMs: number
  /** Both sides are asked this often whether they are there, and given up when they are not the next time. @default 10000 */
  readonly pingMs: number
}

/** Settings of a bridge between web pages and gateways. */
export type BridgeSettings = {
  /** The gateways that are relayed to, `ws:` or `wss:`; no other address is ever connected to. */
  readonly upstreams: readonly string[]
  /** @default 127.0.0.1 */
  readonly host?: string | undefined
  /** 0 takes any free port. @default 0 */
  readonly port?: number | undefined
  /** Certificate and key in PEM make it `wss:`; without them something in front of it has to. */
  readonly tls?:
    | {
        /** PEM text, with the chain. */
        readonly certificate: string
        /** PEM text. */
        readonly key: string
      }
    | undefined
  /**
   * Pages that may use it, as browsers name them: `https://mine.example`. Programs that name no page are let in.
   *
   * @default any page
   */
  readonly allowedOrigins?: readonly string[] | undefined
  /** Something in front of it names the client's address in `x-forwarded-for`. @default false */
  readonly isBehindProxy?: boolean | undefined
  /** Bounds that differ from the defaults. @default those of {@link BridgeLimits} */
  readonly limits?: Partial<BridgeLimits> | undefined
  /** @default none: the library is silent */
  readonly logger?: Logger | undefined
}

/** Connections beside those with a session: they shake hands, or hear that they are refused. */
const SPARE_CONNECTIONS = 1_000
const SPARE_OF_ADDRESS = 64

/** Limits of a bridge for which none are given. */
export const defaultBridgeLimits: BridgeLimits = {
  sessions: 4_000,
  sessionsPerAddress: 64,
  connections: 5_000,
  connectionsPerAddress: 128,
  opensPerMinute: 120,
  framesPerSecond: 20,
  clientFrameBytes: 16 * 1024,
  gatewayFrameBytes: FRAME_LIMIT_BYTES,
  waitingBytes: 8 * 1024 * 1024,
  openMs: 5_000,
  pingMs: 10_000,
}

const refused = (path: string, expected: string, found: string): NodeError =>
  new NodeError('CONFIGURATION_INVALID', { path, expected, found })

/** @throws {NodeError} `CONFIGURATION_INVALID`, which never repeats credentials */
export function parseUpstreams(texts: readonly string[]): readonly [URL, ...URL[]] {
  const [first, ...others] = texts.map(parseUpstream)
  if (first === undefined) throw refused('upstreams', 'at least one gateway', 'none')
  return [first, ...others]
}

function parseUpstream(text: string): URL {
  if (!canParseUrl(text)) throw refused('upstreams', 'ws: or wss: addresses', 'what is no address')
  const url = new URL(text)
  if (url.protocol !== 'ws:' && url.protocol !== 'wss:') {
    throw refused('upstreams', 'ws: or wss: addresses', `an address that begins with ${url.protocol}`)
  }
  if (url.username !== '' || url.password !== '') {
    throw refused('upstreams', 'addresses without credentials', 'credentials in an address')
  }
  return url
}

/** @throws {NodeError} `CONFIGURATION_INVALID` */
export function parseOrigins(texts: readonly string[] | undefined): ReadonlySet<string> | undefined {
  if (texts === undefined) return undefined
  return new Set(
    texts.map((text) => {
      if (canParseUrl(text) && new URL(text).origin === text) return text
      throw refused('allowedOrigins', 'origins such as https://mine.example', text)
    }),
  )
}

/** @throws {NodeError} `CONFIGURATION_INVALID` */
export function parseLimits(given: Partial<BridgeLimits> = {}): BridgeLimits {
  for (const [name, value] of Object.entries(Object(given)))
    if (typeof value !== 'number') throw refused(`limits.${name}`, 'a number above 0', written(value))
  const { sessions, sessionsPerAddress } = { ...defaultBridgeLimits, ...given }
  const limits = {
    ...defaultBridgeLimits,
    connections: sessions + SPARE_CONNECTIONS,
    connectionsPerAddress: sessionsPerAddress + SPARE_OF_ADDRESS,
    ...given,
  }
  for (const [name, value] of Object.entries(limits)) {
    if (!Number.isFinite(value) || value <= 0) {
      throw refused(`limits.${name}`, 'a number above 0', written(value))
    }
  }
  return limits
}
