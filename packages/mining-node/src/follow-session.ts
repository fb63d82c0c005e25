import { NodeError, reportError } from '@hailstone/protocol'
import type { EventHub } from './events.ts'
import { LEADER_MISSING, LEADER_REFUSAL } from './session/beacon-verdict.ts'
import type { SessionClock } from './session/clock.ts'
import { describeStop } from './session/describe-session.ts'
import type { SessionEvent } from './session/effect.ts'
import type { MiningSnapshot } from './store/mining-snapshot.ts'
import type { WritableStore } from './store/mining-store.ts'

/** Turns what a session at a gateway tells into events and counts. */
export function followSession(parameters: {
  readonly events: EventHub
  readonly store: WritableStore<MiningSnapshot>
  readonly clock: Pick<SessionClock, 'wallNow'>
}): (event: SessionEvent, gatewayUrl: string) => void {
  const { events, store, clock } = parameters
  /** Counts the time with a gateway. */
  function connected(isNow: boolean): void {
    const { beforeMs, sinceMs } = store.snapshot().connected
    if (isNow === (sinceMs !== null)) return
    const now = clock.wallNow()
    const passedMs = sinceMs === null ? 0 : Math.max(0, now - sinceMs)
    store.update({ connected: { beforeMs: beforeMs + passedMs, sinceMs: isNow ? now : null } })
  }
  const failed = (error: NodeError): void => events.emit('failed', { error })
  return (event, gatewayUrl) => {
    const { publications, leaderCheck } = store.snapshot()
    if (event.type === 'hailed') connected(true)
    if (event.type === 'disconnected' || event.type === 'stopped') connected(false)
    switch (event.type) {
      case 'beaconRefused': {
        const { type, ...given } = event
        const isForged = given.refusal === LEADER_REFUSAL || given.refusal === LEADER_MISSING
        store.update({
          publications: {
            ...publications,
            refused: publications.refused + 1,
            ...(given.refusal === 'newerBeaconCame' && { late: (publications.late ?? 0) + 1 }),
          },
          leaderCheck: { ...leaderCheck, refused: leaderCheck.refused + (isForged ? 1 : 0) },
          lastRefusal: given,
        })
        return events.emit(type, given)
      }
      case 'published': {
        const { type, ...given } = event
        store.update({
          publications: { ...publications, published: publications.published + 1 },
          lastRefusal: null,
        })
        return events.emit(type, given)
      }
      case 'connected':
      case 'hailed':
      case 'beaconReceived': {
        const { type, ...given } = event
        return events.emit(type, given)
      }
      case 'disconnected': {
        const { type, ...given } = event
        // Not from the reason alone: the state knows what the API says of the stake.
        return events.emit(type, { ...given, why: store.snapshot().state.why })
      }
      case 'stopped':
        return events.emit('stopped', { reason: event.reason, why: describeStop(event.reason).why })
      case 'messageMalformed':
        return failed(reportError('MESSAGE_MALFORMED', { reason: event.reason }))
      case 'gatewayErred':
        return failed(reportError('GATEWAY_ERROR', { code: event.code }))
      case 'redirectRefused':
        return failed(new NodeError('URL_REFUSED', { url: gatewayUrl, reason: event.why }))
      case 'redirected':
        return
    }
  }
}
