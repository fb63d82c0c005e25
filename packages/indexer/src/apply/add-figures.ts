import type { Schema } from '../schema.ts'
import type { BlockState } from './block-state.ts'

const emptyHour = {
  ...{ active: 0, microblocks: 0, mined: 0n, referred: 0n },
  ...{ transfers: 0, fees: 0n, rejected: 0 },
}
const emptyDay = {
  ...{ active: 0, microblocks: 0, mined: 0n, miner_half: 0n, agent_half: 0n, owner_part: 0n },
  ...{ transfers: 0, fees: 0n, rejected: 0 },
  ...{ new: 0, returned: 0, week_step: 0, month_step: 0, blocks: 0, lost: 0n },
}
const emptyAgentDay = { microblocks: 0, earned: 0n, lost: 0n, new_miners: 0 }

type Figures = Readonly<Record<string, number | bigint>>

/** Adds each figure to the one of the same name. */
function plus<Row extends object>(row: Row, figures: Figures): Row {
  const sum = { ...row } as Record<string, number | bigint>
  for (const [name, value] of Object.entries(figures))
    sum[name] = ((sum[name] as never) + (value as never)) as number | bigint
  return sum as Row
}

type Additions<Row, Key extends string> = Partial<Omit<Row, Key>>

export function addToHour(
  { rows, hour }: BlockState,
  token: number,
  figures: Additions<Schema['token_hour'], 'token' | 'hour'>,
): void {
  const row = rows.get('token_hour', token, hour) ?? { token, hour, ...emptyHour }
  rows.put('token_hour', plus(row, figures as Figures))
}

export function addToDay(
  { rows }: Pick<BlockState, 'rows'>,
  token: number,
  day: number,
  figures: Additions<Schema['token_day'], 'token' | 'day'>,
): void {
  const row = rows.get('token_day', token, day) ?? { token, day, ...emptyDay }
  rows.put('token_day', plus(row, figures as Figures))
}

export function addToAgentDay(
  { rows, day }: BlockState,
  { token, agent }: { readonly token: number; readonly agent: number },
  figures: Additions<Schema['agent_day'], 'token' | 'agent' | 'day'>,
): void {
  const row = rows.get('agent_day', token, agent, day) ?? { token, agent, day, ...emptyAgentDay }
  rows.put('agent_day', plus(row, figures as Figures))
}

export function addToAgent(
  { rows, day }: BlockState,
  { token, agent }: { readonly token: number; readonly agent: number },
  figures: Additions<Schema['agent_total'], 'token' | 'agent' | 'first_day' | 'last_day'>,
): void {
  const empty = { miners: 0, microblocks: 0n, earned: 0n, lost: 0n, first_day: day, last_day: day }
  const row = rows.get('agent_total', token, agent) ?? { token, agent, ...empty }
  const isUsed = (figures.microblocks ?? 0n) > 0n
  rows.put('agent_total', { ...plus(row, figures as Figures), last_day: isUsed ? day : row.last_day })
}
