import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import { tokenRoles } from '../../src/people/roles.ts'
import { Problem } from '../parts.tsx'
import { ConfirmButton } from './confirm-button.tsx'
import { Field, RoleField, takeFields } from './field.tsx'
import { requestJson } from './session.ts'
import { Table, timeText } from './table.tsx'
import { useChange, useList } from './use-change.ts'

type Token = {
  readonly id: number
  readonly label: string
  readonly role: string
  readonly by: string
  readonly expiresAt: string
  readonly lastAt: string | null
}

/** Tokens with which programs read the API. */
export function TokensPart(): JSX.Element {
  const [tokens, reload] = useList<Token>('/v1/tokens')
  const [secret, setSecret] = useState<string | null>(null)
  const changes = useChange()
  async function add(event: Event): Promise<void> {
    const form = event.currentTarget as HTMLFormElement
    const { label, role, days } = takeFields(event)
    const isGranted = await changes.run(async () => {
      const made = await requestJson<{ readonly secret: string }>('POST', '/v1/tokens', {
        ...{ label, role, days: Number(days) },
      })
      setSecret(made.secret)
    })
    if (!isGranted) return
    form.reset()
    reload()
  }
  return (
    <>
      <p>
        A program sends <code>authorization: Bearer hsc_…</code> and reads what the role may, 60 times a
        minute. It changes nothing.
      </p>
      {tokens !== null && tokens.length > 0 && (
        <Table
          label="Tokens"
          titles={['Label', 'Role', 'Made by', 'Until (UTC)', 'Last use (UTC)', 'Changes']}
        >
          {tokens.map(({ id, label, role, by, expiresAt, lastAt }) => (
            <tr key={id}>
              <td class="text">{label}</td>
              <td>{role}</td>
              <td>{by}</td>
              <td>{timeText(expiresAt)}</td>
              <td>{timeText(lastAt)}</td>
              <td>
                <ConfirmButton
                  text="Remove"
                  of={label}
                  question="Really remove?"
                  onConfirm={() =>
                    void changes.run(() => requestJson('DELETE', `/v1/tokens/${id}`)).then(reload)
                  }
                />
              </td>
            </tr>
          ))}
        </Table>
      )}
      {secret !== null && (
        <p role="status" class="secret">
          The new token, shown this once: <code>{secret}</code>
        </p>
      )}
      <form class="controls" onSubmit={(event) => void add(event)}>
        <Field label="Label" name="label" autocomplete="off" maxLength={200} />
        <RoleField roles={tokenRoles} />
        <Field label="Days" name="days" type="number" min={1} max={366} defaultValue="90" />
        <button type="submit" disabled={changes.isBusy}>
          Make a token
        </button>
        {changes.failure !== null && <Problem text={changes.failure} />}
      </form>
    </>
  )
}
