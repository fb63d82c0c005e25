import type { Population } from '@hailstone/local-network'
import { sql } from 'kysely'
import { RefusedError } from '../people/refused-error.ts'
import type { LabelQueries, LabelTables } from './label-tables.ts'

/** Labels of a console at most: they are for accounts that one knows, and the page lists all of them. */
const MAX_LABELS = 1_000

export type Label = LabelTables['label']

/** Names that the partner gave to accounts. They are personal data, which the log of changes does not repeat. */
export type Labels = {
  /** Labels an account, or changes its label. @throws {RefusedError} if there are too many */
  readonly set: (label: Label) => Promise<void>
  /** Resolves with false if the account has no label. */
  readonly remove: (address: string) => Promise<boolean>
}

export const createLabels = (queries: LabelQueries): Labels => ({
  async set({ address, text, kind }) {
    // One statement, so that two people at once do not exceed the limit by more than one.
    const { rows } = await sql`
      insert into hailstone_console.label (address, text, kind)
      select ${address}, ${text}, ${kind}
      where (select count(*) from hailstone_console.label) < ${MAX_LABELS}
        or exists (select 1 from hailstone_console.label where address = ${address})
      on conflict (address) do update set text = excluded.text, kind = excluded.kind
      returning address`.execute(queries)
    if (rows.length === 0)
      throw new RefusedError(409, `There are ${MAX_LABELS} labels already. Remove one that is not needed.`)
  },
  async remove(address) {
    const { numDeletedRows } = await queries
      .deleteFrom('label')
      .where('address', '=', address)
      .executeTakeFirst()
    return numDeletedRows > 0n
  },
})

/** Labels the payer, the agents and the campaigns of a population, as a partner would. */
export async function labelPopulation(labels: Labels, population: Population): Promise<void> {
  const { accounts, agents, campaigns } = population
  const wanted: readonly (readonly [address: string, text: string, kind: Label['kind']])[] = [
    [accounts.treasury.address, 'Treasury', 'payer'],
    [accounts.owner.address, 'Owner', 'own'],
    [accounts.shop.address, 'Shop', 'own'],
    [accounts.exchange.address, 'Exchange', 'other'],
    ...agents.map((agent, at) => [agent, `Agent ${at + 1}`, 'agent'] as const),
    ...campaigns.map(({ agent, name }) => [agent, name, 'campaign'] as const),
  ]
  for (const [address, text, kind] of wanted) await labels.set({ address, text, kind })
}
