import type { Figure, FigureContext } from '../figures/figure.ts'
import { readSnapshot, type Tip } from '../figures/read-snapshot.ts'
import type { Follower, ShownToken } from '../open-follower.ts'

/** The tables changed between two pages, so that the pages are no table together. */
export class TablesMovedError extends Error {}

export type PagesSource = {
  readonly follower: Pick<Follower, 'index' | 'token'>
  /** Unix milliseconds. */
  readonly nowMs: number
  /** Returns the page after a place; the first one for undefined. */
  readonly pageOf: (context: FigureContext, after: string | undefined) => Promise<Figure>
  /** True for records in the order of heights, the newest first: a new height changes nothing after a place. */
  readonly isOfRecords: boolean
  readonly signal: AbortSignal
}

type Take = (page: Figure, token: ShownToken) => Promise<void>

/**
 * Gives the pages of a figure one after the other. On a server they are read in one transaction. The embedded database has
 * one connection, so there each page has a transaction of its own and lets others in before the next.
 *
 * @throws {TablesMovedError} if rows could be doubled or missing
 */
export async function readPages(source: PagesSource, take: Take): Promise<void> {
  const { follower, nowMs, pageOf, signal } = source
  if (follower.index.isExclusive) return readApart(source, take)
  await readSnapshot({ follower, nowMs }, async (context) => {
    let after: string | undefined | null
    do {
      signal.throwIfAborted()
      const page: Figure = await pageOf(context, after ?? undefined)
      await take(page, context.token)
      after = page.next ?? null
    } while (after !== null)
  })
}

async function readApart(source: PagesSource, take: Take): Promise<void> {
  const { follower, nowMs, pageOf, isOfRecords, signal } = source
  let begin: Tip | null | undefined
  let after: string | undefined | null
  do {
    signal.throwIfAborted()
    const { data, tip, token } = await readSnapshot({ follower, nowMs }, async (context) => ({
      page: await pageOf(context, after ?? undefined),
      holds: begin == null || !isOfRecords || (await hasBlock(context, begin)),
    }))
    if (begin === undefined) begin = tip
    else if (isOfRecords ? begin === null || !data.holds : begin?.nextHash !== tip?.nextHash)
      throw new TablesMovedError('the chain moved on between two pages')
    await take(data.page, token)
    after = data.page.next ?? null
  } while (after !== null)
}

/** True if a macroblock is still one of the branch that the tables show. */
async function hasBlock({ queries }: FigureContext, { height, nextHash }: Tip): Promise<boolean> {
  const found = await queries
    .selectFrom('block')
    .select('next_hash')
    .where('height', '=', height)
    .executeTakeFirst()
  return found?.next_hash === nextHash
}
