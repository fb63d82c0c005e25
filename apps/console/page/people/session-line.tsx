import type { JSX } from 'preact'
import { loadSession, requestJson, type Session } from './session.ts'

/** Ends the session here, and at the provider that it began at. */
async function signOut(): Promise<void> {
  try {
    const { next } = await requestJson<{ readonly next: string | null }>('POST', '/v1/sign-out')
    if (next !== null) location.assign(next)
  } finally {
    await loadSession()
  }
}

/** The person who is signed in, and the way to sign out. */
export function SessionLine({ session }: { readonly session: Session }): JSX.Element | null {
  const { person, role } = session
  if (person === null) return null
  return (
    <p class="session">
      {person.name}, {role}{' '}
      <button type="button" onClick={() => void signOut()}>
        Sign out
      </button>
    </p>
  )
}
