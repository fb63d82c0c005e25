import { columnKinds, type Schema } from '../schema.ts'
import type { BlockState } from './block-state.ts'

type FiguresTable = 'token_hour' | 'token_day' | 'agent_day' | 'agent_total'

/** Returns a row of figures that have counted nothing yet. */
const emptyRow = <Table extends FiguresTable>(table: Table, key: Partial<Schema[Table]>): Schema[Table] => {
  const zeros = Object.entries(columnKinds[table]).map(([column, kind]) => [column, kind === 'int' ? 0 : 0n])
  return { ...Object.fromEntries(zeros), ...key }
}

/** Returns the figures of this hour, to add to them. */
export const hourOf = ({ rows, hour }: BlockState, token: number): Schema['token_hour'] =>
  rows.edit('token_hour', () => emptyRow('token_hour', { token, hour }), token, hour)

/** Returns the figures of a day, to add to them. */
export const dayOf = ({ rows }: Pick<BlockState, 'rows'>, token: number, day: number): Schema['token_day'] =>
  rows.edit('token_day', () => emptyRow('token_day', { token, day }), token, day)

type AgentOfToken = { readonly token: number; readonly agent: number }

/** Returns the figures of an agent on this day, to add to them. */
export const agentDayOf = ({ rows, day }: BlockState, { token, agent }: AgentOfToken): Schema['agent_day'] =>
  rows.edit('agent_day', () => emptyRow('agent_day', { token, agent, day }), token, agent, day)

/** Returns the figures of an agent, to add to them. */
export const agentOf = ({ rows, day }: BlockState, { token, agent }: AgentOfToken): Schema['agent_total'] =>
  rows.edit(
    'agent_total',
    () => emptyRow('agent_total', { token, agent, first_day: day, last_day: day }),
    token,
    agent,
  )

/** Adds units to the supply of a token; negative ones were destroyed. */
export function addToSupply({ rows }: Pick<BlockState, 'rows'>, token: number, units: bigint): void {
  rows.edit('token', noToken, token).total_supply += units
}

/** Tokens have had their rows since the index was begun. */
const noToken = (): never => {
  throw new Error('a token has no row')
}
