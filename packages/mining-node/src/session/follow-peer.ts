import { closing, leave, openConnection } from './connection.ts'
import type { Moment } from './input.ts'
import { REDIRECTS_LIMIT } from './limits.ts'
import { redirectTarget } from './redirect.ts'
import type { Peer, Session } from './state.ts'
import { emit, type Step, withMemory } from './step.ts'

/**
 * Goes where a gateway or a boot node leads.
 *
 * @param onRefused what follows when it leads where nobody should go
 */
export function followPeer(
  session: Session,
  peer: Peer,
  moment: Moment,
  onRefused: (session: Session, why: string) => Step,
): Step {
  const { redirects, url } = session.memory
  if (redirects >= REDIRECTS_LIMIT) return leave(session, { kind: 'redirectsExhausted' }, moment)
  const { requireEncryption } = session.settings
  const target = redirectTarget({ currentUrl: url, requireEncryption, ...peer })
  if (!target.ok) {
    const [refused, effects] = onRefused(session, target.why)
    return [refused, [emit({ type: 'redirectRefused', why: target.why }), ...effects]]
  }
  const [opening, effects] = openConnection(withMemory(session, { redirects: redirects + 1 }), target.url)
  return [opening, [...closing(session), emit({ type: 'redirected', url: target.url }), ...effects]]
}
