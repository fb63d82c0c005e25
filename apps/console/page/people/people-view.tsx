import type { JSX } from 'preact'
import { Problem } from '../parts.tsx'
import { ConfirmButton } from './confirm-button.tsx'
import { OwnPart } from './own-part.tsx'
import { PeoplePart } from './people-part.tsx'
import { requestJson, type Session } from './session.ts'
import { Table, timeText } from './table.tsx'
import { TokensPart } from './tokens-part.tsx'
import { useChange, useList } from './use-change.ts'

/** People, tokens, sessions and what was done, as far as the role goes. */
export default function PeopleView({ session }: { readonly session: Session }): JSX.Element {
  const { person, role } = session
  if (person === null)
    return (
      <div class="people">
        <p>
          This console has no people yet: the link of its command signs in, on this machine alone. The first
          person is an owner, who can add others. From then on everybody signs in by name.
        </p>
        <PeoplePart isFirst />
      </div>
    )
  return (
    <div class="people">
      <p>
        You are {person.name}, {role}.
      </p>
      <OwnPart person={person} />
      {role === 'owner' && (
        <>
          <h3>People</h3>
          <PeoplePart isFirst={false} />
          <h3>Tokens of the API</h3>
          <TokensPart />
        </>
      )}
      <h3>Sessions</h3>
      <SessionsPart />
      {role === 'owner' && (
        <>
          <h3>What was done</h3>
          <AuditPart />
        </>
      )}
    </div>
  )
}

type SessionEntry = {
  readonly id: number
  readonly name: string
  readonly since: string
  readonly lastAt: string
  readonly isOwn: boolean
}

function SessionsPart(): JSX.Element {
  const [sessions, reload] = useList<SessionEntry>('/v1/sessions')
  const changes = useChange()
  return (
    <>
      <Table label="Sessions" titles={['Name', 'Since (UTC)', 'Last use (UTC)', 'Changes']}>
        {sessions?.map(({ id, name, since, lastAt, isOwn }) => (
          <tr key={id}>
            <td>{name}</td>
            <td>{timeText(since)}</td>
            <td>{timeText(lastAt)}</td>
            <td>
              {isOwn ? (
                'this one'
              ) : (
                <ConfirmButton
                  text="End"
                  of={`session of ${name} since ${timeText(since)}`}
                  question="Really end?"
                  onConfirm={() =>
                    void changes.run(() => requestJson('DELETE', `/v1/sessions/${id}`)).then(reload)
                  }
                />
              )}
            </td>
          </tr>
        ))}
      </Table>
      {changes.failure !== null && <Problem text={changes.failure} />}
    </>
  )
}

type AuditEntry = {
  readonly at: string
  readonly person: string | null
  readonly action: string
  readonly subject: string | null
}

function AuditPart(): JSX.Element {
  const [entries] = useList<AuditEntry>('/v1/audit')
  return (
    <Table label="What was done" titles={['Time (UTC)', 'By', 'Action', 'On']}>
      {entries?.map(({ at, person, action, subject }) => (
        <tr key={`${at} ${action} ${subject}`}>
          <td>{timeText(at)}</td>
          <td>{person ?? '–'}</td>
          <td>{action}</td>
          <td class="text">{subject ?? '–'}</td>
        </tr>
      ))}
    </Table>
  )
}
