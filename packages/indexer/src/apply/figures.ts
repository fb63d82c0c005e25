import type { Schema } from '../schema.ts'
import type { BlockState } from './block-state.ts'

/** Returns the figures of this hour, to add to them. */
export const hourOf = ({ rows, hour }: BlockState, token: number): Schema['token_hour'] =>
  rows.edit('token_hour', () => emptyHour(token, hour), token, hour)

const emptyHour = (token: number, hour: number): Schema['token_hour'] => ({
  token,
  hour,
  active: 0,
  microblocks: 0,
  mined: 0n,
  referred: 0n,
  transfers: 0,
  fees: 0n,
  rejected: 0,
})

/** Returns the figures of a day, to add to them. */
export const dayOf = ({ rows }: Pick<BlockState, 'rows'>, token: number, day: number): Schema['token_day'] =>
  rows.edit('token_day', () => emptyDay(token, day), token, day)

const emptyDay = (token: number, day: number): Schema['token_day'] => ({
  token,
  day,
  active: 0,
  new: 0,
  returned: 0,
  week_step: 0,
  month_step: 0,
  blocks: 0,
  microblocks: 0,
  mined: 0n,
  miner_half: 0n,
  agent_half: 0n,
  owner_part: 0n,
  lost: 0n,
  transfers: 0,
  fees: 0n,
  rejected: 0,
})

/** Returns the figures of an agent on this day, to add to them. */
export const agentDayOf = (
  { rows, day }: BlockState,
  { token, agent }: { readonly token: number; readonly agent: number },
): Schema['agent_day'] =>
  rows.edit(
    'agent_day',
    () => ({ token, agent, day, microblocks: 0, earned: 0n, lost: 0n, new_miners: 0 }),
    token,
    agent,
    day,
  )

/** Returns the figures of an agent, to add to them. */
export const agentOf = (
  { rows, day }: BlockState,
  { token, agent }: { readonly token: number; readonly agent: number },
): Schema['agent_total'] =>
  rows.edit(
    'agent_total',
    () => ({
      token,
      agent,
      miners: 0,
      microblocks: 0n,
      earned: 0n,
      lost: 0n,
      first_day: day,
      last_day: day,
    }),
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
