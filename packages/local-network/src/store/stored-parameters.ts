import type { NetworkParameters } from '@hailstone/ledger'
import type { Queries } from './queries.ts'

const NAME = 'network'

/** Marks a bigint inside the stored JSON, which has no word for it. */
const UNITS = 'units as text'

const toText = (parameters: NetworkParameters): string =>
  JSON.stringify(parameters, (_, value) =>
    typeof value === 'bigint' ? { [UNITS]: value.toString() } : value,
  )

const fromText = (text: string): NetworkParameters =>
  JSON.parse(text, (_, value) =>
    typeof value === 'object' && value !== null && UNITS in value ? BigInt(String(value[UNITS])) : value,
  ) as NetworkParameters

export async function writeParameters(queries: Queries, parameters: NetworkParameters): Promise<void> {
  await queries
    .insertInto('chain_parameter')
    .values({ name: NAME, value: toText(parameters) })
    .execute()
}

export async function readParameters(queries: Queries): Promise<NetworkParameters | undefined> {
  const row = await queries
    .selectFrom('chain_parameter')
    .select('value')
    .where('name', '=', NAME)
    .executeTakeFirst()
  return row === undefined ? undefined : fromText(row.value)
}
