import type { Figure } from '../figures/figure.ts'

/** Writes a table piece by piece: the head, then rows as often as there are some, then the end. */
export type TableWriter = {
  readonly head: Uint8Array
  readonly add: (rows: Figure['rows']) => Uint8Array
  readonly end: () => Uint8Array
}
