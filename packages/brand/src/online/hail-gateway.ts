import { createWallet } from '@hailstone/client'
import { formatHail, parseServerMessage, type TokenId } from '@hailstone/protocol'
import type { HailOutcome } from './brand-probe.ts'
import { dispatcher, WebSocket } from './outward.ts'

export type HailGatewayParameters = {
  readonly url: string
  readonly tokenId: TokenId
  /** Origin of the page that would connect. @default none */
  readonly origin?: string | undefined
  /** Limit for connecting, in ms. @default 8000 */
  readonly connectMs?: number | undefined
  /** Time without an error that counts as acceptance, in ms: a gateway does not answer a hail. @default 1500 */
  readonly settleMs?: number | undefined
}

/**
 * Hails a gateway with a throw-away key, as a miner would, and closes. A gateway never confirms a hail (PROTOCOL
 * 5.2): it was accepted if no error arrives and the socket stays open for a while.
 */
export function hailGateway(parameters: HailGatewayParameters): Promise<HailOutcome> {
  const { url, tokenId, origin, connectMs = 8_000, settleMs = 1_500 } = parameters
  return new Promise((resolve) => {
    const socket = new WebSocket(url, {
      dispatcher,
      ...(origin === undefined ? {} : { headers: { origin } }),
    })
    let hasOpened = false
    let timer = setTimeout(() => end({ kind: 'unreachable', reason: 'no connection in time' }), connectMs)
    const end = (outcome: HailOutcome): void => {
      clearTimeout(timer)
      socket.onclose = null
      socket.onerror = null
      socket.onmessage = null
      if (socket.readyState === WebSocket.OPEN) socket.close()
      resolve(outcome)
    }
    socket.onopen = () => {
      hasOpened = true
      clearTimeout(timer)
      timer = setTimeout(() => end({ kind: 'accepted' }), settleMs)
      socket.send(formatHail(createWallet().signHail({ host: new URL(url).hostname, tokenId })))
    }
    socket.onmessage = ({ data }) => {
      const outcome = outcomeOf(String(data))
      if (outcome !== null) end(outcome)
    }
    const lost = (): void =>
      end(
        hasOpened
          ? { kind: 'refused', reason: 'the gateway closed the connection' }
          : { kind: 'unreachable', reason: 'no connection' },
      )
    socket.onclose = lost
    socket.onerror = lost
  })
}

/** A beacon or a redirect counts as acceptance. */
function outcomeOf(text: string): HailOutcome | null {
  const message = parseServerMessage(text)
  if (message.kind === 'error') return { kind: 'refused', reason: message.code }
  return message.kind === 'beacon' || message.kind === 'peer' ? { kind: 'accepted' } : null
}
