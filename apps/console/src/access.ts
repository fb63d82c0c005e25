import { timingSafeEqual } from 'node:crypto'
import { createSecret, hashOf, IDLE_MS, SESSION_MS } from './people/sessions.ts'

/** End of the link that opens a session, in ms. */
const LINK_MS = 15 * 60_000

type Session = { readonly hash: Buffer; readonly since: number; lastAt: number }

/** Sign-in with a link of one use, and sessions of which only hashes are kept. */
export type Access = {
  /** A secret of one use, good for 15 minutes. */
  readonly issueLink: () => string
  /** Takes a secret of a link and returns that of a session; null if it was used, is too old, or was never issued. */
  readonly redeem: (link: string) => string | null
  /** True if a session is open: at most 12 hours idle and 7 days old. */
  readonly isOpen: (session: string | undefined) => boolean
  readonly end: (session: string | undefined) => void
}

export function createAccess({ now }: { readonly now: () => number }): Access {
  const links: { readonly hash: Buffer; readonly until: number }[] = []
  const sessions: Session[] = []
  const find = <Entry extends { readonly hash: Buffer }>(entries: readonly Entry[], text: string) => {
    const hash = hashOf(text)
    return entries.findIndex((entry) => timingSafeEqual(entry.hash, hash))
  }
  return {
    issueLink() {
      const text = createSecret()
      links.push({ hash: hashOf(text), until: now() + LINK_MS })
      return text
    },
    redeem(text) {
      const at = find(links, text)
      const [link] = at < 0 ? [] : links.splice(at, 1)
      if (link === undefined || link.until < now()) return null
      const session = createSecret()
      sessions.push({ hash: hashOf(session), since: now(), lastAt: now() })
      return session
    },
    isOpen(text) {
      const session = text === undefined ? undefined : sessions[find(sessions, text)]
      if (session === undefined || now() - session.lastAt > IDLE_MS || now() - session.since > SESSION_MS)
        return false
      session.lastAt = now()
      return true
    },
    end(text) {
      const at = text === undefined ? -1 : find(sessions, text)
      if (at >= 0) sessions.splice(at, 1)
    },
  }
}
