import { onBootNode, onNamed } from './boot-node.ts'
import {
  begin,
  comeBackSoon,
  leave,
  onClosed,
  onFailed,
  onHailed,
  onHeld,
  onOffline,
  onOpened,
  onPingDue,
  onReconnectDue,
  onReleased,
  onResumed,
  stop,
} from './connection.ts'
import {
  onChainGrew,
  onChecked,
  onMessage,
  onPublicationsIgnored,
  onPublished,
  onQuiet,
} from './gateway-message.ts'
import type { ConnectionInput, Moment, SessionInput, TimerName } from './input.ts'
import type { Session } from './state.ts'
import { type Step, withMemory } from './step.ts'

/**
 * The mining session: what follows from one input. Pure: it touches nothing and returns what is to be done.
 * Inputs of a connection that was left are ignored, and nothing moves a stopped session.
 */
export function transition(session: Session, input: SessionInput): Step {
  if (session.state.status === 'stopped') return [session, []]
  switch (input.type) {
    case 'start':
      return session.state.status === 'idle' ? begin(session, input) : [session, []]
    case 'stop':
      return stop(session, input.reason ?? 'requested')
    case 'timer':
      return onTimer(session, input.timer, input)
    case 'online':
      return comeBackSoon(session, input)
    case 'offline':
      return onOffline(session, input)
    case 'resumed':
      return onResumed(session, input)
    case 'chainGrew':
      return onChainGrew(session, input)
    case 'publicationsIgnored':
      return onPublicationsIgnored(session, input)
    case 'held':
      return onHeld(session, input)
    case 'released':
      return onReleased(session, input)
    default:
      return input.connection === session.memory.connection ? onConnection(session, input) : [session, []]
  }
}

function onTimer(session: Session, timer: TimerName, moment: Moment): Step {
  const { status } = session.state
  switch (timer) {
    case 'handshake':
      if (status !== 'connecting' || session.memory.isOpen) return [session, []]
      if (session.memory.named !== undefined) return onNamed(session, moment)
      return leave(session, { kind: 'handshakeTimeout' }, moment)
    case 'reconnect':
      return onReconnectDue(session, moment)
    case 'ping':
      return onPingDue(session, moment)
    case 'quiet':
      return onQuiet(session, moment)
  }
}

function onConnection(session: Session, input: Moment & ConnectionInput): Step {
  // The number of the newest connection also stands while none is there: before start and between two.
  if (session.state.status === 'idle' || session.state.status === 'waiting') return [session, []]
  const { settings, memory } = session
  if (input.type !== 'failed' && settings.bootNodeUrls?.includes(memory.url))
    return onBootNode(session, input)
  switch (input.type) {
    case 'opened':
      return onOpened(session, input)
    case 'hailed':
      return onHailed(session, input)
    case 'message':
      return onMessage(session, input)
    case 'checked':
      return onChecked(session, input)
    case 'published':
      return onPublished(session, input)
    case 'pong':
      return [withMemory(session, { unansweredPings: 0 }), []]
    case 'closed':
      return onClosed(session, input)
    case 'failed':
      return onFailed(session, input)
  }
}
