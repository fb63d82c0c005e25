import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import type { AlertsData } from '../src/alerts/alert-routes.ts'
import { AskFailure } from './ask.ts'
import { Loading, Problem } from './parts.tsx'
import { requestJson } from './people/session.ts'
import { useAnswer } from './use-answer.ts'

type Rule = AlertsData['rules'][number]
type Kind = AlertsData['kinds'][number]
type Settings = Pick<Rule, 'kind' | 'name' | 'threshold' | 'minutes' | 'isOn'>

const units: { readonly [Unit in Kind['unit']]: string } = {
  percent: ' %',
  minutes: ' minutes',
  days: ' days',
  count: '',
}

const states: { readonly [State in Rule['state']]: string } = {
  quiet: 'Well',
  pending: 'Bad, not yet for long enough',
  active: 'Active',
}

const events: { readonly [Event in AlertsData['messages'][number]['event']]: string } = {
  started: 'Started',
  ended: 'Ended',
  withdrawn: 'Withdrawn: the chain went back',
  test: 'Test',
}

const timeText = (time: string): string => `${time.slice(0, 16).replace('T', ' ')} UTC`

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

function RuleCard(parameters: {
  readonly rule: Rule
  readonly kind: Kind
  readonly onEdit: () => void
  readonly onTest: () => void
  readonly onRemove: () => void
}): JSX.Element {
  const { rule, kind, onEdit, onTest, onRemove } = parameters
  const { name, state, since, height, value, threshold, minutes, isOn } = rule
  const limit = `${threshold}${units[kind.unit]} or ${kind.isUpper ? 'more' : 'fewer'}`
  return (
    <>
      <h3>{name}</h3>
      <p class={isOn ? `state state-${state}` : 'state'}>{isOn ? states[state] : 'Off'}</p>
      <dl>
        <div>
          <dt>Newest value</dt>
          <dd>{value === null || !isOn ? 'not known' : `${value}${units[kind.unit]}`}</dd>
        </div>
        <div>
          <dt>Alert from</dt>
          <dd>{minutes === 0 ? limit : `${limit}, for ${minutes} minutes`}</dd>
        </div>
        {since !== null && (
          <div>
            <dt>Since</dt>
            <dd>
              {timeText(since)}
              {height !== null && `, height ${height}`}
            </dd>
          </div>
        )}
      </dl>
      <p class="note">{kind.summary}</p>
      <p class="buttons">
        <button type="button" aria-label={`Edit ${name}`} onClick={onEdit}>
          Edit
        </button>
        <button type="button" aria-label={`Test ${name}`} onClick={onTest}>
          Test
        </button>
        <button type="button" aria-label={`Remove ${name}`} onClick={onRemove}>
          Remove
        </button>
      </p>
    </>
  )
}

function RuleForm({
  start,
  kind,
  onSave,
  onCancel,
}: {
  readonly start: Settings
  readonly kind: Kind
  readonly onSave: (settings: Settings) => void
  readonly onCancel?: (() => void) | undefined
}): JSX.Element {
  const [name, setName] = useState(start.name)
  const [threshold, setThreshold] = useState(String(start.threshold))
  const [minutes, setMinutes] = useState(String(start.minutes))
  const [isOn, setIsOn] = useState(start.isOn)
  return (
    <form
      class="rule"
      onSubmit={(event) => {
        event.preventDefault()
        onSave({
          ...{ kind: kind.kind, name: name.trim(), isOn },
          ...{ threshold: Number(threshold), minutes: Number(minutes) },
        })
      }}
    >
      <label>
        Name{' '}
        <input
          value={name}
          required
          maxLength={100}
          onInput={({ currentTarget }) => setName(currentTarget.value)}
        />
      </label>
      <label>
        Alert from{units[kind.unit] === '' ? '' : ` (${units[kind.unit].trim()})`}{' '}
        <input
          type="number"
          min="0"
          max="1000000"
          step="any"
          required
          value={threshold}
          onInput={({ currentTarget }) => setThreshold(currentTarget.value)}
        />
      </label>
      <label>
        For minutes{' '}
        <input
          type="number"
          min="0"
          max="10080"
          required
          value={minutes}
          onInput={({ currentTarget }) => setMinutes(currentTarget.value)}
        />
      </label>
      <label class="check">
        <input
          type="checkbox"
          checked={isOn}
          onChange={({ currentTarget }) => setIsOn(currentTarget.checked)}
        />{' '}
        On
      </label>
      <p class="note">{kind.summary}</p>
      <p class="buttons">
        <button type="submit">Save</button>
        {onCancel !== undefined && (
          <button type="button" onClick={onCancel}>
            Cancel
          </button>
        )}
      </p>
    </form>
  )
}

function NewRule({
  kinds,
  onAdd,
}: {
  readonly kinds: readonly Kind[]
  readonly onAdd: (settings: Settings) => void
}): JSX.Element {
  const [name, setName] = useState<string | null>(null)
  const kind = kinds.find((one) => one.kind === name)
  return (
    <section class="new">
      <p class="controls">
        <label>
          New alert{' '}
          <select value={name ?? ''} onChange={({ currentTarget }) => setName(currentTarget.value)}>
            <option value="">choose a kind</option>
            {kinds.map((one) => (
              <option key={one.kind} value={one.kind}>
                {one.title}
              </option>
            ))}
          </select>
        </label>
      </p>
      {kind !== undefined && (
        <RuleForm
          key={kind.kind}
          start={{
            ...{ kind: kind.kind, name: kind.title, threshold: kind.threshold, minutes: kind.minutes },
            isOn: true,
          }}
          kind={kind}
          onCancel={() => setName(null)}
          onSave={(settings) => {
            setName(null)
            onAdd(settings)
          }}
        />
      )}
    </section>
  )
}

function Receivers({
  receivers,
  onAdd,
  onRemove,
}: {
  readonly receivers: AlertsData['receivers']
  readonly onAdd: (url: string) => void
  readonly onRemove: (id: string) => void
}): JSX.Element {
  const [url, setUrl] = useState('')
  return (
    <>
      {receivers.length === 0 && <p>Nobody receives alerts yet.</p>}
      <ul class="plain">
        {receivers.map(({ id, host }) => (
          <li key={id}>
            <span>{host}</span>{' '}
            <button type="button" aria-label={`Remove ${host}`} onClick={() => onRemove(id)}>
              Remove
            </button>
          </li>
        ))}
      </ul>
      <form
        class="controls"
        onSubmit={(event) => {
          event.preventDefault()
          onAdd(url.trim())
          setUrl('')
        }}
      >
        <label>
          Address of a webhook, or of a mailbox{' '}
          <input
            value={url}
            required
            maxLength={500}
            autocomplete="off"
            spellcheck={false}
            placeholder="https://hooks.example/alerts"
            onInput={({ currentTarget }) => setUrl(currentTarget.value)}
          />
        </label>
        <button type="submit">Add</button>
      </form>
    </>
  )
}

function Messages({ messages }: Pick<AlertsData, 'messages'>): JSX.Element {
  if (messages.length === 0) return <p>Nothing was sent yet.</p>
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a wide table is scrolled with the keyboard too
    <section class="table" tabIndex={0} aria-label="Newest messages">
      <table>
        <thead>
          <tr>
            {['Time', 'Alert', 'Message', 'Receiver', 'Attempts', 'Outcome'].map((title) => (
              <th key={title} scope="col">
                {title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {messages.map(({ alert, event, host, at, attempts, outcome, isOver }) => (
            <tr key={`${at} ${alert} ${event} ${host}`}>
              <td>{timeText(at)}</td>
              <td class="text">{alert}</td>
              <td class="text">{events[event]}</td>
              <td>{host}</td>
              <td class="number">{attempts}</td>
              <td class="text">
                {outcome ?? 'waits'}
                {outcome !== null && outcome !== 'delivered' && (isOver ? '; given up' : '; is tried again')}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}
