import type { PGlite } from '@electric-sql/pglite'
import type { Population } from '@hailstone/local-network'

/** Labels the payer, the agents and the campaigns of a population, as a partner would. */
export async function labelPopulation(database: PGlite, population: Population): Promise<void> {
  const { accounts, agents, campaigns } = population
  const labels: readonly (readonly [account: string, text: string, kind: string])[] = [
    [accounts.treasury.address, 'Treasury', 'payer'],
    [accounts.owner.address, 'Owner', 'own'],
    [accounts.shop.address, 'Shop', 'own'],
    [accounts.exchange.address, 'Exchange', 'other'],
    ...agents.map((agent, at) => [agent, `Agent ${at + 1}`, 'agent'] as const),
    ...campaigns.map(({ agent, name }) => [agent, name, 'campaign'] as const),
  ]
  for (const label of labels)
    await database.query(
      `insert into label (account, text, kind) values ($1, $2, $3)
      on conflict (account) do update set text = excluded.text, kind = excluded.kind`,
      [...label],
    )
}
