import { NodeError, reportError } from '@hailstone/protocol'
import type { EventHub } from './events.ts'
import { LEADER_MISSING, LEADER_REFUSAL } from './session/beacon-verdict.ts'
import { describeStop, describeWait } from './session/describe-session.ts'
import type { SessionFact } from './session/effect.ts'
import type { MiningSnapshot } from './store/mining-snapshot.ts'
import type { WritableStore } from './store/mining-store.ts'

/** Turns what a session at a gateway tells into events and counts. */
export function followSession(parameters: {
  readonly events: EventHub
  readonly store: WritableStore<MiningSnapshot>
}): (fact: SessionFact, gatewayUrl: string) => void {
  const { events, store } = parameters
  const failed = (error: NodeError): void => events.emit('failed', { error })
  return (fact, gatewayUrl) => {
    const { publications, leaderCheck } = store.snapshot()
    switch (fact.type) {
      case 'beaconRefused': {
        const { microblockHash, why } = fact
        const forged = why === LEADER_REFUSAL || why === LEADER_MISSING ? 1 : 0
        store.update({
          publications: { ...publications, refused: publications.refused + 1 },
          leaderCheck: { ...leaderCheck, refused: leaderCheck.refused + forged },
          lastRefusal: { microblockHash, why },
        })
        return events.emit('beaconRefused', { microblockHash, why })
      }
      case 'published':
        store.update({
          publications: { ...publications, published: publications.published + 1 },
          lastRefusal: null,
        })
        return events.emit('published', { microblockHash: fact.microblockHash })
      case 'connected':
      case 'hailed':
      case 'beaconReceived': {
        const { type, ...given } = fact
        return events.emit(type, given)
      }
      case 'disconnected': {
        const { reason, delayMs } = fact
        return events.emit('disconnected', { why: describeWait(reason, delayMs).why, reason, delayMs })
      }
      case 'stopped':
        return events.emit('stopped', { reason: fact.reason, why: describeStop(fact.reason).why })
      case 'messageMalformed':
        return failed(reportError('MESSAGE_MALFORMED', { reason: fact.reason }))
      case 'gatewayErred':
        return failed(reportError('GATEWAY_ERROR', { code: fact.code }))
      case 'redirectRefused':
        return failed(new NodeError('URL_REFUSED', { url: gatewayUrl, reason: fact.why }))
      case 'redirected':
        return
    }
  }
}
