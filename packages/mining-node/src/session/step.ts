import type { SessionEffect, SessionEvent } from './effect.ts'
import type { Session, SessionMemory, SessionState } from './state.ts'

export type Step = readonly [next: Session, effects: readonly SessionEffect[]]

/** A session with another state and parts of its memory replaced. */
export const moved = (
  session: Session,
  state: SessionState,
  memory: Partial<SessionMemory> = {},
): Session => ({
  ...session,
  state,
  memory: { ...session.memory, ...memory },
})

/** A session in the same state that remembers something else. */
export const withMemory = (session: Session, memory: Partial<SessionMemory>): Session =>
  moved(session, session.state, memory)

export const emit = (event: SessionEvent): SessionEffect => ({ type: 'emit', event })
