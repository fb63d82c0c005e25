import type { JournalDisk, JournalFile } from '@hailstone/client'
import type { CursorStore } from '@hailstone/mining-node'
import type { Program } from '../run/program.ts'
import type { Run } from '../run/run.ts'

/** A write or truncation that is not synced yet. */
type Unsynced = { readonly bytes: Uint8Array | null; readonly position: number }

type Inode = { cached: Uint8Array; durable: Uint8Array; readonly unsynced: Unsynced[] }

/** Fault rates of a disk. */
export type DiskFaultRates = {
  /** Probability that a write finds no space, or only for half of it. */
  readonly full?: number | undefined
  /** Probability that a sync fails. */
  readonly broken?: number | undefined
}

const systemError = (code: string): Error => Object.assign(new Error(code), { code })

function written(before: Uint8Array, { bytes, position }: Unsynced): Uint8Array {
  if (bytes === null) return before.slice(0, position)
  const after = new Uint8Array(Math.max(before.length, position + bytes.length))
  after.set(before)
  after.set(bytes, position)
  return after
}

/**
 * A disk that loses unsynced data. A killed program loses nothing that it wrote. After a power cut each file has what
 * was synced and any part of later writes, torn at any byte; names are as in their folder at its last sync, or at the
 * end.
 */
export class SimulatedDisk {
  readonly #run: Run
  #names = new Map<string, Inode>()
  #durableNames = new Map<string, Inode>()
  #lockedBy: Program | null = null
  readonly #texts = new Map<string, string>()
  faultRates: DiskFaultRates = {}
  hasFailed = false

  constructor(run: Run) {
    this.#run = run
  }

  /** Returns the content after the worst power cut, one character per byte. */
  durableText(path: string): string {
    return text(this.#durableNames.get(path)?.durable)
  }

  /** Returns everything on the disk, to search it for secrets. */
  everything(): string {
    const files = [...this.#names.values()].map(({ cached }) => text(cached))
    return [...files, ...this.#texts.values()].join('\n')
  }

  /** Total size of all files in bytes. */
  sizeBytes(): number {
    return [...this.#names.values()].reduce((sum, { cached }) => sum + cached.length, 0)
  }

  /** Returns what a copy of a file would hold now, or null. */
  copyOf(path: string): Uint8Array | null {
    return this.#names.get(path)?.cached ?? null
  }

  /** Puts a copy in the place of a file, or removes it for null, while no program runs. */
  restore(path: string, copy: Uint8Array | null): void {
    this.#names.delete(path)
    if (copy !== null) this.#names.set(path, { cached: copy, durable: copy, unsynced: [] })
    this.#durableNames = new Map(this.#names)
  }

  cutPower(): void {
    const { chance } = this.#run
    if (chance.is(0.5)) this.#names = new Map(this.#durableNames)
    for (const inode of new Set([...this.#names.values(), ...this.#durableNames.values()])) {
      const kept = chance.whole(0, inode.unsynced.length)
      let content = inode.durable
      for (const one of inode.unsynced.slice(0, kept)) content = written(content, one)
      const torn = inode.unsynced[kept]
      if (torn?.bytes) {
        const bytes = torn.bytes.slice(0, chance.whole(0, torn.bytes.length))
        content = written(content, { ...torn, bytes })
      }
      inode.cached = content
      inode.durable = content
      inode.unsynced.length = 0
    }
    this.#durableNames = new Map(this.#names)
  }

  /** Returns the disk for one program. */
  of(program: Program): JournalDisk {
    const names = (): Map<string, Inode> => this.#names
    const inodeOf = (path: string): Inode => {
      const known = names().get(path)
      if (known !== undefined) return known
      const made: Inode = { cached: new Uint8Array(), durable: new Uint8Array(), unsynced: [] }
      names().set(path, made)
      return made
    }
    return {
      makeFolder: () => this.#io(program, 0.1, () => undefined),
      lock: () =>
        this.#io(program, 0.2, () => {
          if (this.#lockedBy !== null && !this.#lockedBy.isOver()) return { processId: 1 }
          this.#lockedBy = program
          return {
            release: async () => {
              this.#lockedBy = null
            },
          }
        }),
      read: (path) =>
        this.#io(program, 0.5, () => {
          const inode = names().get(path)
          return inode === undefined ? null : text(inode.cached)
        }),
      open: (path) => this.#io(program, 0.2, () => this.#file(program, inodeOf(path))),
      create: (path) =>
        this.#io(program, 0.2, () => {
          names().delete(path)
          return this.#file(program, inodeOf(path))
        }),
      rename: (from, to) =>
        this.#io(program, 0.2, () => {
          const inode = names().get(from)
          if (inode === undefined) throw systemError('ENOENT')
          names().delete(from)
          names().set(to, inode)
        }),
      remove: (path) => this.#io(program, 0.2, () => void names().delete(path)),
      copy: (from, to) =>
        this.#io(program, 1, () => {
          const inode = names().get(from)
          if (inode === undefined || names().has(to)) return
          names().set(to, { cached: inode.cached, durable: new Uint8Array(), unsynced: [] })
        }),
      syncFolder: () =>
        this.#io(program, 8, () => {
          this.#durableNames = new Map(names())
        }),
    }
  }

  /** Cursor store with atomic writes: each text is the old or the new one. */
  cursorsOf(program: Program): CursorStore {
    return {
      read: (name) => this.#io(program, 1, () => this.#texts.get(name) ?? null),
      write: (name, written) => this.#io(program, 20, () => void this.#texts.set(name, written)),
    }
  }

  #file(program: Program, inode: Inode): JournalFile {
    const { chance } = this.#run
    const change = (one: Unsynced): void => {
      inode.cached = written(inode.cached, one)
      inode.unsynced.push(one)
    }
    const sync = (): Promise<void> =>
      this.#io(program, 12, () => {
        if (chance.is(this.faultRates.broken ?? 0)) {
          this.#run.fault('disk', 'sync fails')
          this.hasFailed = true
          throw systemError('EIO')
        }
        inode.durable = inode.cached
        inode.unsynced.length = 0
      })
    return {
      write: (bytes, position) =>
        this.#io(program, 0.3, () => {
          if (chance.is(this.faultRates.full ?? 0)) {
            this.#run.fault('disk', 'no room')
            change({ bytes: bytes.slice(0, chance.whole(0, bytes.length)), position })
            this.hasFailed = true
            throw systemError('ENOSPC')
          }
          change({ bytes: bytes.slice(), position })
        }),
      truncate: (lengthBytes) => this.#io(program, 0.3, () => change({ bytes: null, position: lengthBytes })),
      sync,
      syncData: sync,
      close: () => this.#io(program, 0.1, () => undefined),
    }
  }

  /**
   * Performs an operation in the middle of its duration: a program killed before it has not done it; one killed after
   * it does not know.
   */
  #io<T>(program: Program, maxMs: number, doing: () => T): Promise<T> {
    const { chance, time } = this.#run
    return program.outside(
      () =>
        new Promise((resolve, reject) => {
          time.after(chance.ms(0, maxMs), () => {
            if (program.isOver()) return
            let result: T
            try {
              result = doing()
            } catch (error) {
              time.after(chance.ms(0, maxMs), () => program.deliver(() => reject(error)))
              return
            }
            time.after(chance.ms(0, maxMs), () => program.deliver(() => resolve(result)))
          })
        }),
    )
  }
}

const text = (bytes: Uint8Array | undefined): string => Buffer.from(bytes ?? []).toString('latin1')
