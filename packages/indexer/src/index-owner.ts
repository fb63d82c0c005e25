import type { Owner } from '@hailstone/database'

/** Owner of the tables of an index. */
export const indexOwner: Owner = { program: 'hailstone-indexer', tables: ['network', 'cursor', 'undo'] }
