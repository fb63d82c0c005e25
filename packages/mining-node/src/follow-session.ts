import { NodeError, reportError } from '@hailstone/protocol'
import type { EventHub } from './events.ts'
import { LEADER_REFUSAL } from './session/beacon-verdict.ts'
import { describeStop, describeWait } from './session/describe-session.ts'
import type { SessionFact } from './session/effect.ts'
import type { MiningSnapshot } from './store/mining-snapshot.ts'
import type { WritableStore } from './store/mining-store.ts'

/** Turns what a session tells into events and counts. */
export function followSession(parameters: {
  readonly events: EventHub
  readonly store: WritableStore<MiningSnapshot>
  readonly gatewayUrl: string
}): (fact: SessionFact) => void {
  const { events, store, gatewayUrl } = parameters
  const count = (name: 'published' | 'refused'): void => {
    const { publications } = store.snapshot()
    store.update({ publications: { ...publications, [name]: publications[name] + 1 } })
  }
  const countForged = (): void => {
    const { leaderCheck } = store.snapshot()
    store.update({ leaderCheck: { ...leaderCheck, refused: leaderCheck.refused + 1 } })
  }
  const failed = (error: NodeError): void => events.emit('failed', { error })
  return (fact) => {
    switch (fact.type) {
      case 'connected':
        return events.emit('connected', { url: fact.url })
      case 'hailed':
        return events.emit('hailed', { url: fact.url })
      case 'beaconReceived': {
        const { microblockHash, keyBlockHash, transactionCount } = fact
        return events.emit('beaconReceived', { microblockHash, keyBlockHash, transactionCount })
      }
      case 'beaconRefused':
        count('refused')
        if (fact.why === LEADER_REFUSAL) countForged()
        store.update({ lastRefusal: { microblockHash: fact.microblockHash, why: fact.why } })
        return events.emit('beaconRefused', { microblockHash: fact.microblockHash, why: fact.why })
      case 'published':
        count('published')
        store.update({ lastRefusal: null })
        return events.emit('published', { microblockHash: fact.microblockHash })
      case 'disconnected': {
        const { reason, delayMs } = fact
        return events.emit('disconnected', { why: describeWait(reason).why, reason, delayMs })
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
