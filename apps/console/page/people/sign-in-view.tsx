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
  const { provider } = state
  const [failure, setFailure] = useState<string | null>(state.failure ?? null)
  const [needsCode, setNeedsCode] = useState(state.needsCode === true)
  const [isBusy, setBusy] = useState(false)
  useEffect(() => {
    document.title = 'Sign in – console'
  }, [])
  async function attempt(step: () => Promise<void>, hasCode: boolean): Promise<void> {
    setBusy(true)
    setFailure(null)
    try {
      await step()
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      setNeedsCode(error.needsCode)
      // The first question for a code is no failure.
      setFailure(error.needsCode && !hasCode ? null : error.message)
    } finally {
      setBusy(false)
    }
  }
  function signIn(event: Event): Promise<void> {
    const fields = takeFields(event)
    const path = fields.password === undefined ? '/v1/oidc/code' : '/v1/sign-in'
    return attempt(async () => {
      await requestJson('POST', path, fields)
      await loadSession()
    }, fields.code !== undefined)
  }
  const visitProvider = async (): Promise<void> =>
    location.assign((await requestJson<{ readonly url: string }>('POST', '/v1/oidc/start')).url)
  return (
    <main id="main" class="sign-in">
      <h1>Console</h1>
      {!state.hasPeople && <Problem text={state.sentence} />}
      {state.hasPeople && (
        <form onSubmit={(event) => void signIn(event)}>
          {state.needsCode !== true && (
            <>
              <Field label="Name" name="name" autocomplete="username" autocapitalize="none" />
              <Field label="Password" name="password" type="password" autocomplete="current-password" />
            </>
          )}
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
          {provider !== undefined && (
            <button type="button" disabled={isBusy} onClick={() => void attempt(visitProvider, true)}>
              Sign in with {provider}
            </button>
          )}
          {failure !== null && <Problem text={failure} />}
        </form>
      )}
    </main>
  )
}
