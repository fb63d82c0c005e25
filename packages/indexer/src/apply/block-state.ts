import type { Address } from '@hailstone/protocol'
import type { ChainTime } from '../calendar.ts'
import type { BlockFacts, TokenRules } from '../facts.ts'
import type { RowSet } from '../row-set.ts'
import type { BlockRows } from './block-rows.ts'

export type BlockContext = {
  readonly rows: RowSet
  readonly facts: BlockFacts
  /** By their numbers. */
  readonly tokens: ReadonlyMap<number, TokenRules>
  readonly accountOf: (address: Address) => number
  /** Chain hour of the block before. */
  readonly hourBefore: number
}

/** State that the steps of one block share. */
export type BlockState = BlockContext & ChainTime & { readonly added: BlockRows }
