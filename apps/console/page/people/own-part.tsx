import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import { Problem } from '../parts.tsx'
import { Field, takeFields } from './field.tsx'
import { QrPicture } from './qr-picture.tsx'
import { loadSession, requestJson, type Session } from './session.ts'
import { useChange } from './use-change.ts'

/** Password and second factor of the person who is signed in. */
export function OwnPart({ person }: { readonly person: NonNullable<Session['person']> }): JSX.Element {
  return (
    <>
      <h3>Password</h3>
      <PasswordForm name={person.name} />
      <SecondFactor name={person.name} hasTotp={person.hasTotp} />
    </>
  )
}

function PasswordForm({ name }: { readonly name: string }): JSX.Element {
  const changes = useChange()
  const [isDone, setDone] = useState(false)
  async function change(event: Event): Promise<void> {
    const form = event.currentTarget as HTMLFormElement
    const fields = takeFields(event)
    const isGranted = await changes.run(async () => {
      await requestJson('POST', '/v1/password', fields)
      await loadSession()
    })
    setDone(isGranted)
    if (isGranted) form.reset()
  }
  return (
    <form class="controls" onSubmit={(event) => void change(event)}>
      <input type="hidden" name="username" autocomplete="username" value={name} disabled />
      <Field label="Present password" name="password" type="password" autocomplete="current-password" />
      <Field
        label="New password, 12 characters at least"
        name="newPassword"
        type="password"
        autocomplete="new-password"
        minLength={12}
      />
      <button type="submit" disabled={changes.isBusy}>
        Change the password
      </button>
      {changes.failure !== null && <Problem text={changes.failure} />}
      {isDone && <p role="status">The password is changed, and all other sessions have ended.</p>}
    </form>
  )
}

function SecondFactor({ name, hasTotp }: { readonly name: string; readonly hasTotp: boolean }): JSX.Element {
  const changes = useChange()
  const [secret, setSecret] = useState<{ readonly secret: string; readonly uri: string } | null>(null)
  const begin = (event: Event): void => {
    const fields = takeFields(event)
    void changes.run(async () => setSecret(await requestJson('POST', '/v1/totp', fields)))
  }
  const confirm = (event: Event): void => {
    const fields = takeFields(event)
    void changes.run(async () => {
      await requestJson('POST', '/v1/totp/confirm', fields)
      setSecret(null)
      await loadSession()
    })
  }
  return (
    <>
      <h3>Second factor</h3>
      <p>
        {hasTotp
          ? 'A code of your authenticator app is asked for after the password.'
          : 'Not set up. Beyond this machine, admins and owners need one.'}
      </p>
      {secret === null && (
        <form class="controls" onSubmit={begin}>
          <Field label="Password" name="password" type="password" autocomplete="current-password" />
          <button type="submit" disabled={changes.isBusy}>
            {hasTotp ? 'Set up another device' : 'Set it up'}
          </button>
        </form>
      )}
      {secret !== null && (
        <>
          <p>Scan this with the authenticator app, or type the secret, and enter the code that it shows.</p>
          <QrPicture text={secret.uri} label={`Secret of the second factor of ${name}`} />
          <p>
            Secret: <code>{secret.secret}</code>
          </p>
          <form class="controls" onSubmit={confirm}>
            <Field
              label="Code"
              name="code"
              inputMode="numeric"
              pattern="[0-9]{6}"
              title="six digits"
              autocomplete="one-time-code"
            />
            <button type="submit" disabled={changes.isBusy}>
              Confirm
            </button>
          </form>
        </>
      )}
      {changes.failure !== null && <Problem text={changes.failure} />}
    </>
  )
}
