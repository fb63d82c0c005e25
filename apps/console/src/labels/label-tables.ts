import type { Migration } from '@hailstone/database'
import type { Index } from '@hailstone/indexer'
import type { Kysely } from 'kysely'
import { openOwnTables } from '../own-tables.ts'
import type { LabelKind } from './label-kinds.ts'

export type LabelTables = {
  readonly label: {
    /** 66 hex digits; the account may have no transaction yet. */
    readonly address: string
    readonly text: string
    readonly kind: LabelKind
  }
}

export type LabelQueries = Kysely<LabelTables>

/** The steps of the schema. A table of a console that noted no steps is as the first one makes it. */
const migrations: readonly Migration[] = [
  {
    version: 1,
    statements: `
create table if not exists hailstone_console.label (
  address text primary key,
  text text not null,
  kind text not null
)`,
  },
]

/** Opens the table of labels beside an index. */
export const openLabelTables = (index: Pick<Index, 'queries'>): Promise<LabelQueries> =>
  openOwnTables(index, { subject: 'label', migrations })
