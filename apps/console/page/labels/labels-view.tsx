import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import type { Figure } from '../../src/figures/figure.ts'
import { labelKinds } from '../../src/labels/label-kinds.ts'
import { Value } from '../cells.tsx'
import { Loading, Problem } from '../parts.tsx'
import { ConfirmButton } from '../people/confirm-button.tsx'
import { Field, takeFields } from '../people/field.tsx'
import { requestJson } from '../people/session.ts'
import { Table } from '../people/table.tsx'
import { useChange } from '../people/use-change.ts'
import { useAnswer } from '../use-answer.ts'

/** Names of accounts, which the figures show beside their addresses. */
export default function LabelsView(): JSX.Element {
  const [count, setCount] = useState(0)
  const { answer, failure } = useAnswer<Figure>('/v1/labels', count)
  const changes = useChange()
  if (answer === null) return failure === null ? <Loading /> : <Problem text={failure} />
  const { columns, rows } = answer.data
  async function change(task: () => Promise<unknown>): Promise<boolean> {
    const isGranted = await changes.run(task)
    setCount((before) => before + 1)
    return isGranted
  }
  async function add(event: Event): Promise<void> {
    const form = event.currentTarget as HTMLFormElement
    const { address = '', ...fields } = takeFields(event)
    const body = { ...fields, address: address.trim().toLowerCase() }
    if (await change(() => requestJson('POST', '/v1/labels', body))) form.reset()
  }
  return (
    <>
      <p>
        Lists of accounts show these names. They stay in this console and are not on the chain. Transfers of a
        payer are the payouts; a campaign is an agent whose invitations belong together.
      </p>
      {failure !== null && <Problem text={failure} />}
      {rows.length === 0 ? (
        <p>No account has a label yet.</p>
      ) : (
        <Table label="Labels" titles={[...columns.map(({ title }) => title), 'Changes']}>
          {rows.map((row) => (
            <tr key={row[0]}>
              {columns.map((column, at) => (
                <td key={column.key}>
                  <Value cell={row[at] ?? null} column={column} token={answer.token} />
                </td>
              ))}
              <td>
                <ConfirmButton
                  text="Remove"
                  of={String(row[1])}
                  question="Really remove?"
                  onConfirm={() => void change(() => requestJson('DELETE', `/v1/labels/${row[0]}`))}
                />
              </td>
            </tr>
          ))}
        </Table>
      )}
      <form class="controls" onSubmit={(event) => void add(event)}>
        <Field label="Address" name="address" autocomplete="off" placeholder="66 hex digits" maxLength={80} />
        <Field label="Label" name="text" autocomplete="off" maxLength={200} spellcheck />
        <label>
          Kind{' '}
          <select name="kind">
            {labelKinds.map((kind) => (
              <option key={kind}>{kind}</option>
            ))}
          </select>
        </label>
        <button type="submit" disabled={changes.isBusy}>
          Set the label
        </button>
        {changes.failure !== null && <Problem text={changes.failure} />}
      </form>
      <p class="source">
        <a href="/v1/labels">JSON</a> <a href="/v1/labels.csv">CSV</a>{' '}
        <a href="/v1/labels.parquet">Parquet</a>
      </p>
    </>
  )
}
