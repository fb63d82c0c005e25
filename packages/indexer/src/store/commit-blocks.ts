import { inTransaction } from '@hailstone/database'
import type { Kysely } from 'kysely'
import { applyBlock } from '../apply/apply-block.ts'
import { stakeChanges } from '../apply/stake-changes.ts'
import type { BlockFacts, TokenRules } from '../facts.ts'
import { keyedTables, keys } from '../row-set.ts'
import type { Schema } from '../schema.ts'
import { type Cursor, moveCursor } from './cursor.ts'
import { loadRows, numberAccounts } from './load-rows.ts'
import { makePartitions } from './partitions.ts'
import { addUndo, pruneUndo, UNDO_HEIGHTS, type UndoneBlock, undoAbove } from './undo.ts'
import { addRows, putRows } from './write-rows.ts'

export type CommitParameters = {
  readonly holder: string
  readonly cursor: Pick<Cursor, 'height' | 'hash' | 'next_hash' | 'undo_from'>
  /** In order, linked to one another and to the cursor, or to `ancestor` if it is given. Not empty. */
  readonly blocks: readonly BlockFacts[]
  /** Newest calculated height of the API: near it, undo rows are kept. */
  readonly apiHeight: number
  readonly tokens: ReadonlyMap<number, TokenRules>
  /** Height above which the blocks that are stored are undone first. */
  readonly ancestor?: number | undefined
}

const appended = ['microblock', 'reward', 'transfer', 'unexplained', 'agent_change', 'stake_change'] as const

/**
 * Writes blocks in one transaction: the cursor moves, what lies above the ancestor is undone, rows are loaded, each block
 * is applied, and everything is written. All of it happens, or nothing.
 *
 * @throws {NodeError} `STORE_INVALID` if another process took over
 */
export async function commitBlocks(
  queries: Kysely<Schema>,
  parameters: CommitParameters,
): Promise<Pick<Cursor, 'height' | 'hash' | 'next_hash' | 'undo_from'>> {
  const { blocks, cursor, holder, ancestor } = parameters
  const first = blocks[0]
  const last = blocks.at(-1)
  if (first === undefined || last === undefined) return cursor
  const to = {
    height: last.height,
    hash: last.hash as string,
    next_hash: last.nextHash as string,
    undo_from: undoFrom(parameters, last.height),
  }
  await makePartitions(queries, { from: first.height, to: last.height })
  await inTransaction(queries, async (transaction) => {
    await moveCursor(transaction, { from: cursor, to, holder })
    if (ancestor !== undefined) await undoAbove(transaction, ancestor)
    await applyAll(transaction, parameters)
    await pruneUndo(transaction, last.height)
  })
  return to
}

const keepsUndo = ({ apiHeight }: CommitParameters, height: number): boolean =>
  height > apiHeight - UNDO_HEIGHTS

/** Returns the lowest height from which every block can be undone after these ones. */
function undoFrom(parameters: CommitParameters, last: number): number {
  const deep = parameters.blocks.filter(({ height }) => !keepsUndo(parameters, height)).at(-1)
  return Math.max(parameters.cursor.undo_from, (deep?.height ?? -1) + 1, last - UNDO_HEIGHTS + 1)
}

async function applyAll(queries: Kysely<Schema>, parameters: CommitParameters): Promise<void> {
  const { blocks, tokens } = parameters
  const { accountOf, added } = await numberAccounts(queries, { blocks, tokens })
  await addRows(queries, 'account', added)
  const tail = await queries
    .selectFrom('block')
    .select('hour')
    .orderBy('height', 'desc')
    .limit(1)
    .executeTakeFirst()
  let hourBefore = tail?.hour ?? 0
  const rows = await loadRows(queries, { blocks, tokens, accountOf, hourBefore })
  const all = []
  const undo: UndoneBlock[] = []
  for (const facts of blocks) {
    const block = applyBlock({ rows, facts, tokens, accountOf, hourBefore })
    hourBefore = block.block.hour
    const changes = rows.endBlock()
    if (keepsUndo(parameters, facts.height)) undo.push({ height: facts.height, changes })
    all.push({ ...block, stake_change: stakeChanges({ changes, rows, tokens, height: facts.height }) })
  }
  await addUndo(queries, undo)
  await addRows(
    queries,
    'block',
    all.map(({ block }) => block),
  )
  for (const name of appended)
    await addRows(
      queries,
      name,
      all.flatMap((block): readonly object[] => block[name]),
    )
  for (const name of keyedTables) await putRows(queries, name, keys[name], rows.changed(name))
}
