import { NodeError, reportError } from '@hailstone/protocol'
import { describeStop, describeWait } from '../session/describe-session.ts'
import type { SessionFact } from '../session/effect.ts'
import { detached } from './detached.ts'
import type { FleetEvent } from './fleet-events.ts'
import type { FleetNode } from './fleet-node.ts'

/** What the stream says of a fact of one session; null for what only counts. */
export function eventOf({ address, settings }: FleetNode, fact: SessionFact): FleetEvent | null {
  const failed = (error: NodeError): FleetEvent => ({ type: 'failed', address, error })
  switch (fact.type) {
    case 'connected':
    case 'hailed':
      return { type: fact.type, address, url: fact.url }
    case 'published':
      return { type: 'published', address, microblockHash: detached(fact.microblockHash) }
    case 'beaconRefused':
      return { type: 'beaconRefused', address, microblockHash: detached(fact.microblockHash), why: fact.why }
    case 'disconnected': {
      const { reason, delayMs } = fact
      return { type: 'disconnected', address, why: describeWait(reason, delayMs).why, reason, delayMs }
    }
    case 'stopped':
      return { type: 'stopped', address, reason: fact.reason, why: describeStop(fact.reason).why }
    case 'messageMalformed':
      return failed(reportError('MESSAGE_MALFORMED', { reason: fact.reason }))
    case 'gatewayErred':
      return failed(reportError('GATEWAY_ERROR', { code: fact.code }))
    case 'redirectRefused':
      return failed(new NodeError('URL_REFUSED', { url: settings.gatewayUrl, reason: fact.why }))
    case 'beaconReceived':
    case 'redirected':
      return null
  }
}
