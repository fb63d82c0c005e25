import type { ServerMessage } from '@hailstone/protocol'
import { leave } from './connection.ts'
import { followPeer } from './follow-peer.ts'
import type { ConnectionInput, Moment } from './input.ts'
import { CLOSE_TOO_LARGE, NAMING_TIMEOUT_MS, SETTLING_MS } from './limits.ts'
import type { Session } from './state.ts'
import { type Step, withMemory } from './step.ts'

const waitingFor = (session: Session, delayMs: number): Step => [
  session,
  [{ type: 'schedule', timer: 'handshake', delayMs }],
]

/**
 * A boot node names a gateway and closes (PROTOCOL 5.4). Nothing is hailed, signed or pinged there, and whatever does not
 * name a gateway counts for nothing.
 */
export function onBootNode(session: Session, input: Moment & ConnectionInput): Step {
  if (input.type === 'opened') return waitingFor(withMemory(session, { named: null }), NAMING_TIMEOUT_MS)
  if (input.type === 'message') return onWord(session, input.message)
  if (input.type !== 'closed') return [session, []]
  if (input.code === CLOSE_TOO_LARGE) return leave(session, { kind: 'frameTooLarge' }, input)
  return onNamed(session, input)
}

function onWord(session: Session, message: ServerMessage): Step {
  if (message.kind !== 'peer') return [session, []]
  const heard = withMemory(session, { named: message })
  // Its time is not begun anew: a boot node may name gateways without end.
  return session.memory.named === null ? waitingFor(heard, SETTLING_MS) : [heard, []]
}

/** The boot node closed, or its time is over: goes to the gateway that it named last. */
export function onNamed(session: Session, moment: Moment): Step {
  const { named } = session.memory
  if (!named) return leave(session, { kind: 'bootNodeSilent' }, moment)
  return followPeer(session, named, moment, (refused, why) =>
    leave(refused, { kind: 'gatewayMisbehaves', why }, moment),
  )
}
