import type { JSX } from 'preact'
import { loadSession, requestJson, type Session } from './session.ts'

/** The person who is signed in, and the way to sign out. */
export function SessionLine({ session }: { readonly session: Session }): JSX.Element | null {
  const { person, role } = session
  if (person === null) return null
  return (
    <p class="session">
      {person.name}, {role}{' '}
      <button type="button" onClick={() => void requestJson('POST', '/v1/sign-out').finally(loadSession)}>
        Sign out
      </button>
    </p>
  )
}
