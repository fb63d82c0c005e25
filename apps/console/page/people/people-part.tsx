import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import { type Role, roles } from '../../src/people/roles.ts'
import { Problem } from '../parts.tsx'
import { ConfirmButton } from './confirm-button.tsx'
import { Field, RoleField, takeFields } from './field.tsx'
import { loadSession, requestJson } from './session.ts'
import { Table, timeText } from './table.tsx'
import { type ChangeRunner, useChange, useList } from './use-change.ts'

type Person = {
  readonly id: number
  readonly name: string
  readonly role: Role
  readonly hasTotp: boolean
  readonly createdAt: string
}

/** Everybody who can sign in, with what an owner may change. */
export function PeoplePart({ isFirst }: { readonly isFirst: boolean }): JSX.Element {
  const [people, reload] = useList<Person>('/v1/people')
  const changes = useChange()
  return (
    <>
      {!isFirst && (
        <Table label="People" titles={['Name', 'Role', 'Second factor', 'Since (UTC)', 'Changes']}>
          {people?.map((person) => (
            <PersonRow key={person.id} person={person} changes={changes} reload={reload} />
          ))}
        </Table>
      )}
      {changes.failure !== null && <Problem text={changes.failure} />}
      <AddForm isFirst={isFirst} reload={reload} />
    </>
  )
}

function PersonRow({
  person,
  changes,
  reload,
}: {
  readonly person: Person
  readonly changes: ChangeRunner
  readonly reload: () => void
}): JSX.Element {
  const { id, name, role, hasTotp, createdAt } = person
  const [isSetting, setSetting] = useState(false)
  const change = (body: object): void =>
    void changes.run(() => requestJson('PATCH', `/v1/people/${id}`, body)).then(reload)
  return (
    <tr>
      <td>{name}</td>
      <td>
        <select
          aria-label={`Role of ${name}`}
          value={role}
          onChange={({ currentTarget }) => change({ role: currentTarget.value })}
        >
          {roles.map((one) => (
            <option key={one}>{one}</option>
          ))}
        </select>
      </td>
      <td>
        {hasTotp ? 'yes' : 'no'}{' '}
        {hasTotp && (
          <ConfirmButton
            text="Take away"
            of={`second factor of ${name}`}
            question="Really?"
            onConfirm={() => change({ removeTotp: true })}
          />
        )}
      </td>
      <td>{timeText(createdAt)}</td>
      <td>
        <div class="actions">
          {isSetting ? (
            <form
              class="actions"
              onSubmit={(event) => {
                setSetting(false)
                change(takeFields(event))
              }}
            >
              <input
                type="password"
                name="password"
                aria-label={`New password of ${name}`}
                placeholder="12 characters at least"
                autocomplete="new-password"
                minLength={12}
                required
              />
              <button type="submit">Set</button>
            </form>
          ) : (
            <button type="button" aria-label={`New password of ${name}`} onClick={() => setSetting(true)}>
              New password
            </button>
          )}
          <ConfirmButton
            text="Remove"
            of={name}
            question="Really remove?"
            onConfirm={() => void changes.run(() => requestJson('DELETE', `/v1/people/${id}`)).then(reload)}
          />
        </div>
      </td>
    </tr>
  )
}

function AddForm({
  isFirst,
  reload,
}: {
  readonly isFirst: boolean
  readonly reload: () => void
}): JSX.Element {
  const changes = useChange()
  async function add(event: Event): Promise<void> {
    const form = event.currentTarget as HTMLFormElement
    const fields = takeFields(event)
    const isGranted = await changes.run(async () => {
      await requestJson('POST', '/v1/people', fields)
      if (isFirst) await loadSession()
    })
    if (!isGranted) return
    form.reset()
    reload()
  }
  return (
    <form class="controls" onSubmit={(event) => void add(event)}>
      <Field label="Name" name="name" autocomplete="off" maxLength={64} />
      <RoleField roles={isFirst ? ['owner'] : roles} />
      <Field
        label="Password, 12 characters at least"
        name="password"
        type="password"
        autocomplete="new-password"
        minLength={12}
      />
      <button type="submit" disabled={changes.isBusy}>
        Add a person
      </button>
      {changes.failure !== null && <Problem text={changes.failure} />}
    </form>
  )
}
