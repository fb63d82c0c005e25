import type { Client } from '@hailstone/client'
import { isNodeError } from '@hailstone/protocol'
import type { RulesById } from './digest.ts'
import type { BlockFacts, TokenRules } from './facts.ts'
import { findAncestor } from './find-ancestor.ts'
import { isOfDatabase, judgeFailure, mayPass } from './judge-failure.ts'
import type { Index } from './open-index.ts'
import { readBlocks } from './read-blocks.ts'
import type { IndexStatus } from './schema.ts'
import { commitBlocks } from './store/commit-blocks.ts'
import { type Beat, type Cursor, readCursor } from './store/cursor.ts'

/** Blocks of one transaction while the index catches up. */
const BLOCKS_PER_COMMIT = 1000

/** Own microblocks and changes of one transaction, which bound its memory: 200 blocks with 8 of each. */
const FACTS_PER_COMMIT = 3200

/** State of the index after a look at the API. */
export type Progress = {
  readonly status: IndexStatus
  /** A sentence for people; null if there is nothing to say. */
  readonly note: string | null
  readonly height: number
  readonly apiHeight: number | undefined
  /** Heights that were undone. */
  readonly undone: number
}

export type FollowContext = {
  readonly index: Pick<Index, 'queries'>
  readonly client: Client
  readonly holder: string
  /** Beat of the holder; undefined if no other process can write. */
  readonly beat?: Pick<Beat, 'assertHeld'> | undefined
  readonly tokens: ReadonlyMap<number, TokenRules>
  readonly signal?: AbortSignal | undefined
  /** Called after each transaction. */
  readonly onCommit?: ((height: number) => void) | undefined
}

const rulesById = ({ tokens }: FollowContext): RulesById =>
  new Map([...tokens.values()].map((rules) => [rules.tokenId, rules]))

/**
 * Brings the index up to the newest calculated block of the API: looks whether the block of the cursor is still there,
 * goes over to the other branch if it is not, and walks on. An API that is behind, away, or tells what cannot be,
 * changes nothing.
 *
 * @throws {NodeError} `STORE_INVALID`, and failures of the database; those of the API are in the answer
 */
export async function catchUp(context: FollowContext): Promise<Progress> {
  const { index, client, signal } = context
  let cursor: Cursor = await readCursor(index.queries)
  let apiHeight: number | undefined
  let undone = 0
  const progressOf = (status: IndexStatus, note: string | null): Progress => ({
    ...{ status, note, apiHeight, undone, height: cursor.height },
  })
  try {
    apiHeight = (await client.getHeight({ signal })) - 1
    if (cursor.hash !== '') {
      if (apiHeight < cursor.height)
        return progressOf('behind', `The API is at height ${apiHeight}, below this index.`)
      const above = await client.getMacroblock({ height: cursor.height + 1, signal })
      if (above === undefined)
        return progressOf('behind', `The API does not show height ${cursor.height + 1}.`)
      if (above.keyBlock.hash !== cursor.next_hash) {
        const changed = await changeBranch(context, cursor, apiHeight)
        if ('status' in changed) return progressOf(changed.status, changed.note)
        undone = cursor.height - changed.ancestor
        cursor = { ...cursor, ...changed.cursor }
      }
    }
    for (;;) {
      const from = cursor.height
      cursor = await walkOn(context, cursor, apiHeight)
      // A walk of many blocks takes long enough for others to come.
      if (cursor.height <= from + 1) return progressOf('current', null)
      apiHeight = Math.max(apiHeight, (await client.getHeight({ signal })) - 1)
    }
  } catch (error) {
    signal?.throwIfAborted()
    if (isOfDatabase(error) || !mayPass(error)) throw error
    cursor = await readCursor(index.queries)
    return progressOf(...judgeFailure(error))
  }
}

/**
 * Yields blocks as long as this process is the writer. Throws as soon as another process has taken over, so that nothing
 * is read that cannot be written.
 *
 * @throws {NodeError} `STORE_INVALID` if another process took over
 */
async function* whileHeld(
  { beat }: FollowContext,
  walk: AsyncIterable<BlockFacts>,
): AsyncGenerator<BlockFacts, void, undefined> {
  for await (const block of walk) {
    beat?.assertHeld()
    yield block
  }
}

/** Walks from the cursor to the tip, some blocks a transaction. */
async function walkOn(context: FollowContext, from: Cursor, apiHeight: number): Promise<Cursor> {
  const { client, index, holder, tokens, signal, onCommit } = context
  let cursor = from
  let blocks: BlockFacts[] = []
  let facts = 0
  let tip = apiHeight
  const commit = async (): Promise<void> => {
    const part = blocks
    // Not sent again after a failure: the server may have committed them, and only its cursor tells.
    blocks = []
    facts = 0
    if (part.length === 0) return
    const moved = await commitBlocks(index.queries, { holder, cursor, blocks: part, apiHeight: tip, tokens })
    cursor = { ...cursor, ...moved }
    onCommit?.(cursor.height)
  }
  const below = await index.queries
    .selectFrom('block')
    .select('time')
    .where('height', '=', cursor.height)
    .executeTakeFirst()
  const walk = readBlocks(client, {
    ...{ fromHeight: cursor.height + 1, toHeight: apiHeight, tokens: rulesById(context), signal },
    after:
      cursor.hash === '' ? undefined : { hash: cursor.hash, nextHash: cursor.next_hash, time: below?.time },
  })
  try {
    for await (const block of whileHeld(context, walk)) {
      blocks.push(block)
      facts += block.microblocks.length + block.changes.length
      if (blocks.length === BLOCKS_PER_COMMIT || facts >= FACTS_PER_COMMIT) await commit()
    }
  } catch (error) {
    // The process that took over writes these blocks.
    if (isNodeError(error, 'STORE_INVALID')) blocks = []
    // Whatever height the API named, these may be the newest ones that there are: they can be undone.
    tip = blocks.at(-1)?.height ?? tip
    throw error
  } finally {
    // What was read and proven before a failure is kept.
    await commit()
  }
  return cursor
}

/**
 * Goes over to the branch that the API shows. It is read and checked up to the height of this index before anything is
 * undone, and has to reach it; then one transaction undoes and applies. The walk goes on above, so that this one holds no
 * more blocks than can be undone, however long the branch is.
 */
async function changeBranch(
  context: FollowContext,
  cursor: Cursor,
  apiHeight: number,
): Promise<
  | {
      readonly cursor: Pick<Cursor, 'height' | 'hash' | 'next_hash' | 'undo_from'>
      readonly ancestor: number
    }
  | { readonly status: IndexStatus; readonly note: string }
> {
  const { client, index, holder, tokens, signal, onCommit } = context
  const { queries } = index
  const ancestor = await findAncestor(queries, client, { below: cursor.height, signal })
  if (ancestor === undefined || ancestor.height + 1 < cursor.undo_from) {
    const at =
      ancestor === undefined ? 'before the first block of this index' : `above height ${ancestor.height}`
    return {
      status: 'deep fork',
      note: `The chain of the API differs ${at}, deeper than ${cursor.height - cursor.undo_from + 1} blocks that can be undone. Run hailstone-indexer rebuild.`,
    }
  }
  const blocks: BlockFacts[] = []
  const walk = readBlocks(client, {
    ...{ fromHeight: ancestor.height + 1, toHeight: cursor.height, after: ancestor },
    ...{ tokens: rulesById(context), signal },
  })
  for await (const facts of whileHeld(context, walk)) blocks.push(facts)
  const reached = blocks.at(-1)?.height ?? ancestor.height
  if (reached < cursor.height)
    return {
      status: 'behind',
      note: `The other branch of the API ends at height ${reached}, below this index.`,
    }
  const moved = await commitBlocks(queries, {
    ...{ holder, cursor, blocks, apiHeight, tokens },
    ancestor: ancestor.height,
  })
  onCommit?.(moved.height)
  return { cursor: moved, ancestor: ancestor.height }
}
