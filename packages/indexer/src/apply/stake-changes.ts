import type { TokenRules } from '../facts.ts'
import type { RowBefore, RowSet } from '../row-set.ts'
import type { Schema } from '../schema.ts'

export type EndedBlock = {
  readonly height: number
  /** Rows that the block changed, as they were before it. */
  readonly changes: readonly RowBefore[]
  /** The rows after it. */
  readonly rows: Pick<RowSet, 'get'>
  readonly tokens: ReadonlyMap<number, TokenRules>
}

/**
 * Returns the accounts whose balance is on the other side of the minimum stake after a block. What a balance was between
 * two transactions of the block does not count: publications are judged by what the newest macroblock left (PROTOCOL 5.8).
 */
export function stakeChanges(block: EndedBlock): readonly Schema['stake_change'][] {
  const { height, changes, rows, tokens } = block
  return changes.flatMap(({ name, key, before }) => {
    if (name !== 'holding') return []
    const [token = 0, account = 0] = key.split(' ').map(Number)
    const minimum = tokens.get(token)?.mining?.minimumStake
    if (minimum === undefined) return []
    const wasBelow = ((before?.amount ?? 0n) as bigint) < minimum
    const isBelow = (rows.get('holding', token, account)?.amount ?? 0n) < minimum
    return wasBelow === isBelow ? [] : [{ token, account, height, is_below: isBelow }]
  })
}
