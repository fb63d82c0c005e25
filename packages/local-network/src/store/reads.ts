import type { ChainStore } from './chain-store.ts'
import type { Queries } from './queries.ts'

/** Reads of a chain by their names in {@link ChainStore}; each takes the database, or a transaction of it, first. */
export type Reads = {
  readonly [Name in keyof ChainStore]?: (
    queries: Queries,
    ...given: Parameters<ChainStore[Name]>
  ) => ReturnType<ChainStore[Name]>
}

/** Returns reads of one database. */
export const readsOf = <Table extends Reads>(
  queries: Queries,
  table: Table,
): Pick<ChainStore, keyof Table & keyof ChainStore> =>
  Object.fromEntries(
    Object.entries(table).map(([name, read]) => [
      name,
      (...given: readonly unknown[]) => (read as (...all: readonly unknown[]) => unknown)(queries, ...given),
    ]),
  ) as Pick<ChainStore, keyof Table & keyof ChainStore>
