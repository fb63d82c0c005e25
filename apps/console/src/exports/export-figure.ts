import type { Readable } from 'node:stream'
import type { ShownToken } from '../open-follower.ts'
import { RefusedError } from '../people/refused-error.ts'
import type { ExportKind } from './export-kinds.ts'
import { type PagesSource, readPages, TablesMovedError } from './read-pages.ts'
import { createSpool } from './spool.ts'
import type { TableWriter } from './table-writer.ts'

/** Times that a file is begun while the chain moves on under it. */
const ATTEMPTS = 5

export type ExportFile = {
  /** Bytes of the whole file; null while it is being written. */
  readonly length: number | null
  readonly stream: Readable
  readonly token: ShownToken
}

/**
 * Writes a figure with all its pages, and resolves when it is written. A file of several pages is given away with its first
 * one, unless it may have to be begun again.
 *
 * @param give called once
 * @throws {RefusedError} if the tables changed in each attempt
 */
export async function exportFigure(
  source: PagesSource & { readonly kind: ExportKind },
  give: (file: ExportFile) => void,
): Promise<void> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) if (await isWritten(source, give)) return
  throw new RefusedError(
    503,
    'The chain moved on each time while the file was written. Try again, or keep the index on PostgreSQL.',
  )
}

/** Returns false if the tables changed before anything was given away. */
async function isWritten(
  source: PagesSource & { readonly kind: ExportKind },
  give: (file: ExportFile) => void,
): Promise<boolean> {
  const { kind, follower, isOfRecords } = source
  const mayGiveEarly = isOfRecords || !follower.index.isExclusive
  const spool = createSpool()
  let begun: { readonly writer: TableWriter; readonly token: ShownToken } | undefined
  let isGiven = false
  try {
    await readPages(source, async ({ columns, rows, next = null }, token) => {
      if (begun === undefined) {
        begun = { writer: kind.writer(columns, token), token }
        await spool.append(begun.writer.head)
      }
      await spool.append(begun.writer.add(rows))
      if (isGiven || !mayGiveEarly || next === null) return
      isGiven = true
      give({ length: null, stream: spool.read(), token })
    })
    if (begun === undefined) throw new Error('a figure has at least one page')
    await spool.append(begun.writer.end())
    spool.end()
    if (!isGiven) give({ length: spool.length(), stream: spool.read(), token: begun.token })
    return true
  } catch (error) {
    await spool.drop(error)
    if (!isGiven && error instanceof TablesMovedError) return false
    throw error
  }
}
