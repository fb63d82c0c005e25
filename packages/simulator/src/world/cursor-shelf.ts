import type { CursorStore } from '../real.ts'
import type { Program } from '../run/program.ts'
import type { Run } from '../run/run.ts'

/** A text, and what its program had been told when it was written. */
type Kept<M> = { readonly text: string; readonly mark: M }

/** A copy of all cursors at one moment. */
export type CursorCopy<M> = ReadonlyMap<string, Kept<M>>

/** Cursors of one program from life to life, each replaced as a whole, with copies that somebody makes of them. */
export type CursorShelf<M> = {
  /**
   * @param mark of what the program was told so far; read when a text is written
   */
  readonly of: (program: Program, mark: (name: string) => M) => CursorStore
  /** What was told when the present text of a cursor was written; undefined when it was never written. */
  readonly mark: (name: string) => M | undefined
  /** A copy, made after one of the last writings. */
  readonly anyCopy: () => CursorCopy<M> | null
  readonly restore: (copy: CursorCopy<M>) => void
  readonly names: () => readonly string[]
  /** Leaves the first half of a text. */
  readonly cutInHalf: (name: string) => void
  readonly everything: () => string
  /** Probability that a writing fails. */
  failureRate: number
}

const MAX_MS = 20
/** Of so many writings one is followed by a copy. */
const COPIED = 0.2

export function createCursorShelf<M>(run: Run): CursorShelf<M> {
  const { chance, time } = run
  let kept = new Map<string, Kept<M>>()
  const copies: CursorCopy<M>[] = []

  /** A program killed before the middle of the operation has not done it; one killed after it does not know. */
  const later = <T>(program: Program, doing: () => T): Promise<T> =>
    program.outside(
      () =>
        new Promise((resolve, reject) => {
          time.after(chance.ms(0, MAX_MS), () => {
            if (program.isOver()) return
            const isFailed = chance.is(shelf.failureRate)
            if (isFailed) run.fault('disk', 'no room for a cursor')
            const result = isFailed ? null : { value: doing() }
            time.after(chance.ms(0, MAX_MS), () =>
              program.deliver(() => (result === null ? reject(new Error('ENOSPC')) : resolve(result.value))),
            )
          })
        }),
    )

  const shelf: CursorShelf<M> = {
    failureRate: 0,
    of: (program, mark) => ({
      read: (name) => later(program, () => kept.get(name)?.text ?? null),
      write: (name, text) =>
        later(program, () => {
          kept.set(name, { text, mark: mark(name) })
          if (chance.is(COPIED)) copies.push(new Map(kept))
        }),
    }),
    mark: (name) => kept.get(name)?.mark,
    anyCopy: () => (copies.length === 0 ? null : chance.pick(copies as [CursorCopy<M>, ...CursorCopy<M>[]])),
    restore: (copy) => {
      kept = new Map(copy)
    },
    names: () => [...kept.keys()],
    cutInHalf: (name) => {
      const found = kept.get(name)
      if (found !== undefined) kept.set(name, { ...found, text: found.text.slice(0, found.text.length / 2) })
    },
    everything: () => [...kept.values()].map(({ text }) => text).join('\n'),
  }
  return shelf
}
