import { createWallet } from '@hailstone/client'
import { formatHail, parseServerMessage, type TokenId } from '@hailstone/protocol'
import { WebSocket } from 'undici'
import type { HailOutcome } from './brand-probe.ts'

export type HailGatewayParameters = {
  readonly url: string
  readonly tokenId: TokenId
  /** For the connection. @default 8000 */
  readonly connectMs?: number | undefined
  /** How long no objection counts as consent: a gateway does not answer a hail. @default 1500 */
  readonly settleMs?: number | undefined
}

/**
 * Introduces a key made for this one call to a gateway, as a miner would, and hangs up. A gateway never says
 * yes (PROTOCOL 5.2): it was accepted when no error comes and the socket stays open for a while.
 */
export function hailGateway(parameters: HailGatewayParameters): Promise<HailOutcome> {
  const { url, tokenId, connectMs = 8_000, settleMs = 1_500 } = parameters
  return new Promise((resolve) => {
    const socket = new WebSocket(url)
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

/** A task, or the name of another gateway, is as good as a yes. */
function outcomeOf(text: string): HailOutcome | null {
  const message = parseServerMessage(text)
  if (message.kind === 'error') return { kind: 'refused', reason: message.code }
  return message.kind === 'beacon' || message.kind === 'peer' ? { kind: 'accepted' } : null
}
