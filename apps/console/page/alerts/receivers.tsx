import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import type { AlertsData } from '../../src/alerts/alert-routes.ts'

/** The receivers of all alerts, and a field for another one. */
export function Receivers({
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
