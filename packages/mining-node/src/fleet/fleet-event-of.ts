import { NodeError, reportError } from '@hailstone/protocol'
import { describeStop, describeWait } from '../session/describe-session.ts'
import type { SessionEvent } from '../session/effect.ts'
import { detached } from './detached.ts'
import type { FleetEvent } from './fleet-events.ts'
import type { FleetNode } from './fleet-node.ts'

/** Converts a session event to an event of the fleet's stream; null for events that are only counted. */
export function eventOf({ address, settings }: FleetNode, event: SessionEvent): FleetEvent | null {
  const failed = (error: NodeError): FleetEvent => ({ type: 'failed', address, error })
  switch (event.type) {
    case 'connected':
    case 'hailed':
      return { type: event.type, address, url: event.url }
    case 'published':
      return {
        type: 'published',
        address,
        microblockHash: detached(event.microblockHash),
        keyBlockHash: detached(event.keyBlockHash),
      }
    case 'beaconRefused':
      return {
        type: 'beaconRefused',
        address,
        microblockHash: detached(event.microblockHash),
        refusal: event.refusal,
        why: event.why,
      }
    case 'disconnected': {
      const { reason, delayMs } = event
      return { type: 'disconnected', address, why: describeWait(reason, delayMs).why, reason, delayMs }
    }
    case 'stopped':
      return { type: 'stopped', address, reason: event.reason, why: describeStop(event.reason).why }
    case 'messageMalformed':
      return failed(reportError('MESSAGE_MALFORMED', { reason: event.reason }))
    case 'gatewayErred':
      return failed(reportError('GATEWAY_ERROR', { code: event.code }))
    case 'redirectRefused':
      return failed(new NodeError('URL_REFUSED', { url: settings.gatewayUrl, reason: event.why }))
    case 'beaconReceived':
    case 'redirected':
      return null
  }
}
