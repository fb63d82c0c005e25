import { isNodeError } from '@hailstone/protocol'
import { beginIndex } from './begin-index.ts'
import { assertCurrent, openWriter, type RunIndexerParameters } from './run-indexer.ts'
import { holderOf, isProcess, yields } from './store/cursor.ts'
import { waitForIndexer } from './wait-for-indexer.ts'

export type CatchUpParameters = RunIndexerParameters & { readonly pollMs: number }

type CatchUp = AsyncDisposable & { readonly step: () => Promise<void> }

/**
 * Returns what brings an index up to the API: a writer that gives way to an indexer, or on a server where another process
 * writes, or was killed as it wrote, a wait for that one.
 */
export async function openCatchUp(parameters: CatchUpParameters): Promise<CatchUp> {
  const { index, client, tokenIds, signal } = parameters
  const isTaken = async () => !index.isExclusive && isProcess(await holderOf(index.queries))
  /** Resolves with null if another process writes now. */
  const unlessTaken = <T>(done: Promise<T>): Promise<T | null> =>
    done.catch(async (error: unknown) => {
      if (!isNodeError(error, 'STORE_INVALID') || !(await isTaken())) throw error
      return null
    })
  // One that gives way moves nothing but its own check: if it was killed, this one takes over after its lease.
  const isWaitedFor = (await isTaken()) && !yields(await holderOf(index.queries))
  let writer = isWaitedFor ? null : await unlessTaken(openWriter({ ...parameters, isYielding: true }))
  const end = async () => {
    await writer?.[Symbol.asyncDispose]()
    writer = null
  }
  if (writer === null) await beginIndex(index.queries, client, { tokenIds, apiUrl: client.apiUrl, signal })
  return {
    async step() {
      const progress = writer === null ? null : await unlessTaken(writer.step())
      if (progress !== null) return assertCurrent(progress)
      await end()
      await waitForIndexer(parameters)
    },
    [Symbol.asyncDispose]: end,
  }
}
