import type { JSX } from 'preact'
import type { AlertsData } from '../../src/alerts/alert-routes.ts'
import { timeText } from './time-text.ts'

const events: { readonly [Event in AlertsData['messages'][number]['event']]: string } = {
  started: 'Started',
  ended: 'Ended',
  withdrawn: 'Withdrawn: the chain went back',
  test: 'Test',
}

/** The newest messages, with what became of each. */
export function Messages({ messages }: Pick<AlertsData, 'messages'>): JSX.Element {
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
