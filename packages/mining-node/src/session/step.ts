import type { SessionEffect, SessionFact } from './effect.ts'
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
export const remembering = (session: Session, memory: Partial<SessionMemory>): Session =>
  moved(session, session.state, memory)

export const tell = (fact: SessionFact): SessionEffect => ({ type: 'tell', fact })
