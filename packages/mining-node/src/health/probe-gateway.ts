import { assertArgument, parseBootNodeMessage } from '@hailstone/protocol'
import { canParseUrl } from '@hailstone/runtime'
import { assertKinds } from '../assert-kinds.ts'
import { openNodeChannel } from '../node/open-node-channel.ts'
import { redirectTarget } from '../session/redirect.ts'
import type { Peer } from '../session/state.ts'

const TIMEOUT_MS = 5_000
/** A socket that stays silent at a gateway may keep beacons from everybody: it is closed within a second. */
const SILENCE_MS = 900
const FRAME_LIMIT_BYTES = 65_536

type Visit = {
  /** Error from before the socket opened; null if it opened. */
  readonly fault: string | null
  /** The gateway that was named last; null if none was. */
  readonly named: Peer | null
}

/** Opens a socket, says nothing and closes it within a second. */
function visit(url: string, { isNameWanted }: { readonly isNameWanted: boolean }): Promise<Visit> {
  return new Promise((resolve) => {
    let named: Peer | null = null
    let timer = setTimeout(() => end('no answer within 5 s'), TIMEOUT_MS)
    const end = (fault: string | null): void => {
      clearTimeout(timer)
      resolve({ fault, named })
      channel.close(1000)
      setTimeout(channel.terminate, 500).unref()
    }
    const channel = openNodeChannel({
      url,
      frameLimitBytes: FRAME_LIMIT_BYTES,
      handlers: {
        opened: () => {
          clearTimeout(timer)
          if (isNameWanted) timer = setTimeout(() => end(null), SILENCE_MS)
          else end(null)
        },
        received: (text) => {
          const message = parseBootNodeMessage(text, FRAME_LIMIT_BYTES)
          if (message.kind === 'peer') named = message
        },
        pong: () => undefined,
        closed: () => end(null),
        failed: (detail) => end(detail),
      },
    })
  })
}

const assertUrl = (url: unknown): void =>
  assertArgument(
    typeof url === 'string' && canParseUrl(url),
    'url',
    'an address, such as ws://host:port',
    url,
  )

/**
 * Opens a WebSocket to a gateway and closes it again. It does not hail: a gateway keeps one session for each key, and a
 * miner that runs would lose its own.
 *
 * @returns null if the socket opened, otherwise what went wrong
 * @throws {NodeError} `ARGUMENT_INVALID`
 */
export async function probeGateway(url: string): Promise<string | null> {
  assertUrl(url)
  return (await visit(url, { isNameWanted: false })).fault
}

/** Answer of a boot node: the address of a gateway, or the reason why it named none. */
export type BootNodeProbe = { readonly gatewayUrl: string } | { readonly fault: string }

/**
 * Lets a boot node name a gateway, within a second of the connection, as a miner would take it (PROTOCOL 5.4).
 *
 * @param parameters.requireEncryption refuses gateways of other machines that are not encrypted. @default false
 * @throws {NodeError} `ARGUMENT_INVALID`
 */
export async function probeBootNode(
  url: string,
  parameters: { readonly requireEncryption?: boolean | undefined } = {},
): Promise<BootNodeProbe> {
  assertUrl(url)
  assertKinds('of probeBootNode', parameters, { requireEncryption: 'boolean' })
  const { requireEncryption } = Object(parameters)
  const { fault, named } = await visit(url, { isNameWanted: true })
  if (fault !== null) return { fault }
  if (named === null) return { fault: 'it names no gateway within a second' }
  const target = redirectTarget({ currentUrl: url, requireEncryption, ...named })
  return target.ok ? { gatewayUrl: target.url } : { fault: `where it leads is refused: ${target.why}` }
}
