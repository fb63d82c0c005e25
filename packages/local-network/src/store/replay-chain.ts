import {
  type CalculatedTransaction,
  closeMacroblock,
  createGenesis,
  createLedgerState,
  type LedgerState,
  toLedgerMacroblock,
} from '@hailstone/ledger'
import { hostError, type NodeError, type TokenId } from '@hailstone/protocol'
import { MICROBLOCKS_PER_BATCH, transferRounds } from './append-macroblock.ts'
import { anyText } from './batched.ts'
import type { Queries } from './queries.ts'
import { readMacroblocks } from './read-macroblocks.ts'
import { statusCode } from './rows.ts'
import { begunParameters } from './stored-parameters.ts'

/** Heights that are in memory at once. */
const HEIGHTS_PER_READ = 200

export type ReplayedChain = {
  readonly ledger: LedgerState
  /** The network's own count of confirmed transfers by token (PROTOCOL 3.5.8). */
  readonly transferCounts: ReadonlyMap<TokenId, bigint>
}

const differs = (height: number, what: string): NodeError =>
  hostError('STORE_INVALID', { reason: `calculated anew, ${what} of macroblock ${height} is another` })

async function expectStatuses(
  queries: Queries,
  height: number,
  calculated: readonly CalculatedTransaction[],
): Promise<void> {
  const hashes = [...new Set(calculated.map(({ microblockHash }) => microblockHash))]
  if (hashes.length === 0) return
  const rows = await queries
    .selectFrom('block_transaction')
    .select(['microblock_hash', 'hash', 'status'])
    .where('microblock_hash', '=', anyText(hashes))
    .execute()
  const stored = new Map(rows.map((row) => [`${row.microblock_hash} ${row.hash}`, row.status]))
  const isSame = ({ microblockHash, hash, status }: CalculatedTransaction): boolean =>
    stored.get(`${microblockHash} ${hash}`) === statusCode(status)
  if (stored.size !== calculated.length || !calculated.every(isSame))
    throw differs(height, 'the status of a transaction')
}

/**
 * The ledger as it was before the macroblock at `height`: the stored macroblocks calculated anew from the
 * genesis. What comes out must be what is stored, so a replay is a check of the chain too.
 *
 * @throws {NodeError} `STORE_INVALID`
 */
export async function replayChain(queries: Queries, height: number): Promise<ReplayedChain> {
  const parameters = await begunParameters(queries)
  const { content } = createGenesis({
    seed: parameters.seed,
    time: 0,
    nativeTokenId: parameters.ledger.nativeTokenId,
    recorded: parameters.recorded,
  })
  const ledger = createLedgerState(content)
  const counts = new Map<TokenId, bigint>()
  const microblocksPerBatch = parameters.ledger.microblocksPerBatch ?? MICROBLOCKS_PER_BATCH
  for (let from = 0; from < height; from += HEIGHTS_PER_READ) {
    const to = Math.min(height, from + HEIGHTS_PER_READ) - 1
    for (const macroblock of await readMacroblocks(queries, { from, to })) {
      const closed = closeMacroblock(ledger, toLedgerMacroblock(macroblock), parameters.ledger)
      await expectStatuses(queries, macroblock.keyBlock.height, closed.report.transactions)
      ledger.applyChanges(closed.changes)
      for (const { tokenId, count } of transferRounds({ macroblock, closed }, microblocksPerBatch)) {
        if (ledger.token(tokenId) === undefined) continue
        const before = counts.get(tokenId) ?? 0n
        counts.set(tokenId, before === 0n ? 1n : before + BigInt(count))
      }
    }
  }
  return { ledger, transferCounts: counts }
}
