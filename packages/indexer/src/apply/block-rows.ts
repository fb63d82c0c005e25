import type { Schema } from '../schema.ts'

/** Rows that a block adds and that never change. */
export type BlockRows = {
  readonly block: Schema['block']
  readonly microblock: Schema['microblock'][]
  readonly reward: Schema['reward'][]
  readonly transfer: Schema['transfer'][]
  readonly unexplained: Schema['unexplained'][]
  readonly agent_change: Schema['agent_change'][]
}
