import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import type { AlertsData } from '../../src/alerts/alert-routes.ts'
import type { Status } from '../ask.ts'
import { timeText } from './time-text.ts'

/** A rule as the console has it. */
export type Rule = AlertsData['rules'][number]
/** A figure that rules judge, with its unit and usual limits. */
export type Kind = AlertsData['kinds'][number]
/** The part of a rule that a person sets. */
export type Settings = Pick<Rule, 'kind' | 'name' | 'threshold' | 'minutes' | 'isOn'>

const units: { readonly [Unit in Kind['unit']]: string } = {
  percent: ' %',
  minutes: ' minutes',
  days: ' days',
  count: '',
}

/** How a rule looks. A value that is not known is nothing that could be well. */
type Face = Rule['state'] | 'unknown'

const faceOf = ({ state, isOn, isEndless, value }: Rule): Face =>
  isOn && state === 'quiet' && value === null && !isEndless ? 'unknown' : state

/** Says why a value is not known. */
const unknownReason = (state: Status['state']): string =>
  state === 'following'
    ? 'The tables do not have enough to compute the value, so nobody can say whether it is well. It is looked at again with each macroblock.'
    : 'The console does not follow the chain at the moment, so nobody can say whether it is well.'

function wordOf(rule: Rule): string {
  const face = faceOf(rule)
  if (face !== 'unknown') return states[face]
  return rule.unknownSince === null ? 'Unknown' : `Unknown since ${timeText(rule.unknownSince)}`
}

const states: { readonly [State in Rule['state']]: string } = {
  quiet: 'Well',
  pending: 'Bad, not yet for long enough',
  active: 'Active',
}

function valueText({ value, isOn, isEndless, unknownSince }: Rule, kind: Kind): string {
  if (isOn && (isEndless || value !== null)) return valueWithUnit(value, kind)
  return unknownSince === null ? 'not known' : `not known since ${timeText(unknownSince)}`
}

const valueWithUnit = (value: number | null, { unit }: Kind): string =>
  value === null ? 'no end' : `${value}${units[unit]}`

/** A rule, its state and newest value, and buttons. */
export function RuleCard(parameters: {
  readonly rule: Rule
  readonly kind: Kind
  /** State of the tables that the value is computed from. */
  readonly chain: Status['state']
  readonly onEdit: () => void
  readonly onTest: () => void
  readonly onRemove: () => void
}): JSX.Element {
  const { rule, kind, chain, onEdit, onTest, onRemove } = parameters
  const { name, since, height, threshold, minutes, isOn, isEndless, value, lastKnown } = rule
  const isKnown = isOn && (isEndless || value !== null)
  const face = faceOf(rule)
  const limit = `${threshold}${units[kind.unit]} or ${kind.isUpper ? 'more' : 'fewer'}`
  return (
    <>
      <h3>{name}</h3>
      <p class={isOn ? `state state-${face}` : 'state'}>{isOn ? wordOf(rule) : 'Off'}</p>
      {face === 'unknown' && <p class="note">{unknownReason(chain)}</p>}
      <dl>
        <div>
          <dt>Newest value</dt>
          <dd>{valueText(rule, kind)}</dd>
        </div>
        {!isKnown && lastKnown !== null && (
          <div>
            <dt>Last known value</dt>
            <dd>
              {valueWithUnit(lastKnown.value, kind)}, at {timeText(lastKnown.at)}
            </dd>
          </div>
        )}
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

/** The fields of a rule, new or old. */
export function RuleForm({
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

/** A choice of kinds, and the fields of the one that was chosen. */
export function NewRule({
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
