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
  reportSaid,
} from './gateway-message.ts'
import type { ConnectionInput, Moment, SessionInput, TimerName } from './input.ts'
import type { Session } from './state.ts'
import { type Step, withMemory } from './step.ts'

/** Handlers of inputs, by type: each returns the next session and the effects to run. */
type Handlers<Input extends { readonly type: string }> = {
  readonly [T in Input['type']]: (session: Session, input: Extract<Input, { readonly type: T }>) => Step
}

/**
 * The mining session: what follows from one input. Pure: it touches nothing and returns what is to be done.
 * Inputs of a connection that was left are ignored, and nothing moves a stopped session.
 */
export function transition(session: Session, input: SessionInput): Step {
  if (session.state.status === 'stopped') return [session, []]
  if (isOutside(input)) return onOutside[input.type](session, input as never)
  return input.connection === session.memory.connection ? onConnection(session, input) : [session, []]
}

type OutsideInput = Exclude<SessionInput, ConnectionInput>

const isOutside = (input: SessionInput): input is OutsideInput => input.type in onOutside

const onOutside: Handlers<OutsideInput> = {
  start: (session, input) => (session.state.status === 'idle' ? begin(session, input) : [session, []]),
  stop: (session, { reason = 'requested' }) => stop(session, reason),
  timer: (session, input) => onTimer[input.timer](session, input),
  online: comeBackSoon,
  offline: onOffline,
  resumed: onResumed,
  chainGrew: onChainGrew,
  publicationsIgnored: onPublicationsIgnored,
  held: onHeld,
  released: onReleased,
}

const onTimer: { readonly [T in TimerName]: (session: Session, moment: Moment) => Step } = {
  handshake: (session, moment) => {
    if (session.state.status !== 'connecting' || session.memory.isOpen) return [session, []]
    if (session.memory.named !== undefined) return onNamed(session, moment)
    return leave(session, { kind: 'handshakeTimeout' }, moment)
  },
  reconnect: onReconnectDue,
  ping: onPingDue,
  quiet: onQuiet,
  said: reportSaid,
}

function onConnection(session: Session, input: Moment & ConnectionInput): Step {
  // The number of the newest connection also stands while none is there: before start and between two.
  if (session.state.status === 'idle' || session.state.status === 'waiting') return [session, []]
  const { settings, memory } = session
  if (input.type !== 'failed' && settings.bootNodeUrls?.includes(memory.url))
    return onBootNode(session, input)
  return onAnswer[input.type](session, input as never)
}

const onAnswer: Handlers<Moment & ConnectionInput> = {
  opened: onOpened,
  hailed: onHailed,
  message: onMessage,
  checked: onChecked,
  published: onPublished,
  pong: (session) => [withMemory(session, { unansweredPings: 0 }), []],
  closed: onClosed,
  failed: onFailed,
}
