import type { NetworkParameters } from '@hailstone/ledger'
import { hostError } from '@hailstone/protocol'
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

/** The parameters of a chain never change, so each database is asked for them once. */
const known = new WeakMap<Queries, NetworkParameters>()

/** Undefined while the store is empty. */
export async function readParameters(queries: Queries): Promise<NetworkParameters | undefined> {
  const before = known.get(queries)
  if (before !== undefined) return before
  const row = await queries
    .selectFrom('chain_parameter')
    .select('value')
    .where('name', '=', NAME)
    .executeTakeFirst()
  if (row === undefined) return undefined
  const parameters = fromText(row.value)
  known.set(queries, parameters)
  return parameters
}

/** @throws {NodeError} `STORE_INVALID` while the store is empty */
export async function begunParameters(queries: Queries): Promise<NetworkParameters> {
  const parameters = await readParameters(queries)
  if (parameters === undefined) throw hostError('STORE_INVALID', { reason: 'it has no parameters' })
  return parameters
}
