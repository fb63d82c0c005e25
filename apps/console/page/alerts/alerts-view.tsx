import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import type { AlertsData } from '../../src/alerts/alert-routes.ts'
import { AskFailure } from '../ask.ts'
import { Loading, Problem } from '../parts.tsx'
import { requestJson } from '../people/session.ts'
import { useAnswer } from '../use-answer.ts'
import { Messages } from './messages.tsx'
import { Receivers } from './receivers.tsx'
import { type Kind, NewRule, type Rule, RuleCard, RuleForm } from './rules.tsx'

/** Rules with their states, receivers, and what was sent to them. */
export function AlertsView(): JSX.Element {
  const [changes, setChanges] = useState(0)
  const [failure, setFailure] = useState<string | null>(null)
  const [note, setNote] = useState<string | null>(null)
  // Each change counts, and is asked for at once.
  const asked = useAnswer<AlertsData>('/v1/alerts', changes)
  const [edited, setEdited] = useState<string | null>(null)
  async function run(task: () => Promise<string | null>): Promise<void> {
    try {
      setNote(await task())
      setFailure(null)
      setEdited(null)
    } catch (error) {
      if (!(error instanceof AskFailure)) throw error
      setFailure(error.message)
      setNote(null)
    }
    setChanges((count) => count + 1)
  }
  if (asked.answer === null) return asked.failure === null ? <Loading /> : <Problem text={asked.failure} />
  const { rules, kinds, receivers, messages } = asked.answer.data
  const kindOf = ({ kind }: Pick<Rule, 'kind'>): Kind =>
    kinds.find((one) => one.kind === kind) ?? (kinds[0] as Kind)
  return (
    <>
      {asked.failure !== null && <Problem text={asked.failure} />}
      <div class={failure === null && note === null ? 'notices' : 'notices notice'}>
        {failure !== null && <Problem text={failure} />}
        <p role="status">{note ?? ''}</p>
        {(failure !== null || note !== null) && (
          <button
            type="button"
            onClick={() => {
              setFailure(null)
              setNote(null)
            }}
          >
            Close
          </button>
        )}
      </div>
      <ul class="cards">
        {rules.map((rule) => (
          <li key={rule.id}>
            {edited === rule.id ? (
              <RuleForm
                start={rule}
                kind={kindOf(rule)}
                onCancel={() => setEdited(null)}
                onSave={(settings) =>
                  void run(async () => {
                    await requestJson('PUT', `/v1/alerts/${rule.id}`, settings)
                    return `“${settings.name}” is saved.`
                  })
                }
              />
            ) : (
              <RuleCard
                rule={rule}
                kind={kindOf(rule)}
                chain={asked.answer?.status.state ?? 'starting'}
                onEdit={() => setEdited(rule.id)}
                onTest={() =>
                  void run(async () => {
                    const path = `/v1/alerts/${rule.id}/test`
                    const sent = await requestJson<{ readonly receivers: number }>('POST', path)
                    return sent.receivers === 0
                      ? 'Nobody receives alerts yet: add a receiver below.'
                      : `A test of “${rule.name}” goes to ${sent.receivers} of the receivers.`
                  })
                }
                onRemove={() =>
                  void run(async () => {
                    await requestJson('DELETE', `/v1/alerts/${rule.id}`)
                    return `“${rule.name}” is removed.`
                  })
                }
              />
            )}
          </li>
        ))}
      </ul>
      <NewRule
        kinds={kinds}
        onAdd={(settings) =>
          void run(async () => {
            await requestJson('POST', '/v1/alerts', settings)
            return `“${settings.name}” is added.`
          })
        }
      />
      <h3>Receivers</h3>
      <Receivers
        receivers={receivers}
        onAdd={(url) =>
          void run(async () => {
            const answer = await requestJson<{ readonly secret: string | null }>('POST', '/v1/receivers', {
              url,
            })
            const { secret } = answer
            if (secret === null) return 'The receiver is added.'
            return `The receiver is added. The secret that signs its webhooks is shown this once: ${secret}`
          })
        }
        onRemove={(id) =>
          void run(async () => {
            await requestJson('DELETE', `/v1/receivers/${id}`)
            return 'The receiver is removed.'
          })
        }
      />
      <h3>Newest messages</h3>
      <Messages messages={messages} />
      <p class="source">
        <a href="/v1/alerts">JSON</a> <a href="/metrics">Prometheus</a>
      </p>
    </>
  )
}
