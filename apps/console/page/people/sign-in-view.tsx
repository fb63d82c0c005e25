import type { JSX } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { Problem } from '../parts.tsx'
import { Field, takeFields } from './field.tsx'
import { loadSession, Refusal, requestJson, type SessionState } from './session.ts'

/** The form to sign in. The field for the second factor appears once the console answers that the person has one. */
export function SignInView({
  state,
}: {
  readonly state: Extract<SessionState, { kind: 'out' }>
}): JSX.Element {
  const [failure, setFailure] = useState<string | null>(null)
  const [needsCode, setNeedsCode] = useState(false)
  const [isBusy, setBusy] = useState(false)
  useEffect(() => {
    document.title = 'Sign in – console'
  }, [])
  async function signIn(event: Event): Promise<void> {
    const fields = takeFields(event)
    setBusy(true)
    setFailure(null)
    try {
      await requestJson('POST', '/v1/sign-in', fields)
      await loadSession()
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      setNeedsCode(error.needsCode)
      // The first question for a code is no failure.
      setFailure(error.needsCode && fields.code === undefined ? null : error.message)
    } finally {
      setBusy(false)
    }
  }
  return (
    <main id="main" class="sign-in">
      <h1>Console</h1>
      {!state.hasPeople && <Problem text={state.sentence} />}
      {state.hasPeople && (
        <form onSubmit={(event) => void signIn(event)}>
          <Field label="Name" name="name" autocomplete="username" autocapitalize="none" />
          <Field label="Password" name="password" type="password" autocomplete="current-password" />
          {needsCode && (
            <Field
              label="Code of the authenticator app"
              name="code"
              inputMode="numeric"
              pattern="[0-9]{6}"
              title="six digits"
              autocomplete="one-time-code"
              autofocus
            />
          )}
          <button type="submit" disabled={isBusy}>
            {isBusy ? 'Signing in …' : 'Sign in'}
          </button>
          {failure !== null && <Problem text={failure} />}
        </form>
      )}
    </main>
  )
}
