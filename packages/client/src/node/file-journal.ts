import { dirname, resolve } from 'node:path'
import { assertArgument, isNodeError, type NodeError, paymentError } from '@hailstone/protocol'
import { sealLine } from '../payments/journal-line.ts'
import type { AppendOptions, Failpoint, JournalContent, JournalStore } from '../payments/journal-store.ts'
import { assertedPath } from './assert-path.ts'
import { diskFault } from './disk-fault.ts'
import { type DiskLock, isCode, type JournalDisk, type JournalFile, systemDisk } from './journal-disk.ts'
import { type JournalText, readJournalText } from './journal-text.ts'

/** Parameters of {@link openFileJournal}. */
export type OpenFileJournalParameters = {
  /** Path of the file. Its folder is created if missing. */
  readonly path: string
  /** Called at named places, so that tests can end the program there. @default none */
  readonly failpoint?: Failpoint | undefined
  /** File system that holds the journal. @default the disk of this machine; simulations pass their own */
  readonly disk?: JournalDisk | undefined
}

/** First line of the file. A greater number is a format this program does not know. */
export const MAGIC = 'hailstone journal 1\n'

/** The file grows in such steps, filled with zeros, so that appending does not have to ask for space. */
const GROWTH_BYTES = 64 * 1024

/**
 * Opens a payment journal in a file: mode 0600, one process at a time, each record on disk before it counts.
 * A record that was cut off by a crash is dropped; records that were damaged later are counted, left out, and
 * the file is copied to `<path>.damaged` first, or to `<path>.damaged-2` and so on where that is an older copy. A symbolic link opens the file it leads to, under the lock of that file.
 *
 * @throws {NodeError} `JOURNAL_LOCKED`; `JOURNAL_INVALID` if the file is not a journal, has a newer version,
 *   has several hard links or is a mount point; its content is left unchanged; `JOURNAL_WRITE_FAILED`;
 *   `ARGUMENT_INVALID`
 */
export async function openFileJournal(parameters: OpenFileJournalParameters): Promise<JournalStore> {
  const given = resolve(assertedPath(parameters, "openFileJournal({ path: 'payments.journal' })"))
  const { failpoint = () => undefined, disk = systemDisk } = parameters
  assertArgument(
    typeof disk?.makeFolder === 'function',
    'disk',
    'a file system with the methods of JournalDisk',
    disk,
  )
  assertArgument(typeof failpoint === 'function', 'failpoint', 'a function', failpoint)
  const path = await realPath(given, disk)
  const lock = await lockOf(path, disk)
  try {
    await refuseSecondPath(path, disk)
    // What was being compacted when the program ended; the file itself is still the old one.
    await disk.remove(newPathOf(path))
    const { file, text } = await openText(path, disk, given)
    return new FileJournal({ path, disk, file, text, lock, failpoint })
  } catch (error) {
    await lock.release()
    throw error
  }
}

const invalid = (path: string, reason: string, cause?: unknown): NodeError<'JOURNAL_INVALID'> =>
  paymentError('JOURNAL_INVALID', { path, reason }, { cause })

async function realPath(path: string, disk: JournalDisk): Promise<string> {
  try {
    return (await disk.realPath?.(path)) ?? path
  } catch (error) {
    throw invalid(path, diskFault(error), error)
  }
}

/** A lock belongs to a path: a program that opened the same file under another path would not see it. */
async function refuseSecondPath(path: string, disk: JournalDisk): Promise<void> {
  const reason = await disk.secondPath?.(path).catch((error: unknown) => diskFault(error))
  if (typeof reason === 'string') throw invalid(path, reason)
}

async function lockOf(path: string, disk: JournalDisk): Promise<DiskLock> {
  const lock = await disk
    .makeFolder(dirname(path))
    .then(() => disk.lock(`${path}.lock`))
    .catch((error: unknown) => {
      throw writeFailed(path, error, false)
    })
  if ('release' in lock) return lock
  throw paymentError('JOURNAL_LOCKED', { path, ...lock })
}

const writeFailed = (path: string, cause: unknown, mayBeStored: boolean): NodeError<'JOURNAL_WRITE_FAILED'> =>
  paymentError('JOURNAL_WRITE_FAILED', { path, reason: diskFault(cause), mayBeStored }, { cause })

const newPathOf = (path: string): string => `${path}.new`

type OpenedText = { readonly file: JournalFile; readonly text: JournalText }

async function openText(path: string, disk: JournalDisk, given: string): Promise<OpenedText> {
  const content = await disk.read(path).catch((error: unknown) => {
    throw invalid(path, diskFault(error), error)
  })
  const text = readJournalText(content ?? '', MAGIC)
  if ('refusal' in text) throw invalid(path, text.refusal)
  const { damagedRecords } = text.content
  if (content !== null && damagedRecords > 0) await keepDamaged({ path, disk, content, damagedRecords })
  const file = await disk.open(path).catch((error: unknown) => {
    throw writeFailed(path, error, false)
  })
  try {
    await refuseOther(file, path, given, disk)
    await file.truncate(text.keptBytes)
    await file.write(Buffer.from(text.repair, 'latin1'), text.keptBytes)
    await file.sync()
    await disk.syncFolder(dirname(path))
    return { file, text }
  } catch (error) {
    await file.close()
    throw isNodeError(error, 'JOURNAL_INVALID') ? error : writeFailed(path, error, false)
  }
}

/**
 * Copies a file with damaged records to the next free name, unless a copy has all of them already: they may be the only
 * evidence of who was paid.
 */
async function keepDamaged(parameters: {
  readonly path: string
  readonly disk: JournalDisk
  readonly content: string
  readonly damagedRecords: number
}): Promise<void> {
  const { path, disk, content, damagedRecords } = parameters
  const hasAll = (copy: string): boolean => {
    const text = readJournalText(copy, MAGIC)
    if ('refusal' in text || text.content.damagedRecords !== damagedRecords) return false
    return content.startsWith(copy.slice(0, text.keptBytes))
  }
  for (let count = 1; ; count++) {
    const place = `${path}.damaged${count === 1 ? '' : `-${count}`}`
    try {
      const copy = await disk.read(place)
      if (copy === null) return await disk.copy(path, place)
      if (hasAll(copy)) return
    } catch (error) {
      if (!isCode(error, 'EEXIST')) throw writeFailed(path, error, false)
    }
  }
}

/** Throws unless the file that was opened is the one that is locked: names or links may have changed meanwhile. */
async function refuseOther(file: JournalFile, path: string, given: string, disk: JournalDisk): Promise<void> {
  const isSame = (await realPath(given, disk)) === (await realPath(path, disk))
  const isThere = (await file.isAt?.(path)) ?? true
  if (!isSame || !isThere) throw invalid(path, 'another file took its place while it was opened')
  await refuseSecondPath(path, disk)
}

type Entry = {
  readonly line: string
  readonly keepFreeBytes: number
  readonly resolve: () => void
  readonly reject: (error: unknown) => void
}

type Opened = {
  readonly path: string
  readonly disk: JournalDisk
  readonly file: JournalFile
  readonly text: JournalText
  readonly lock: DiskLock
  readonly failpoint: Failpoint
}

/** Writes one batch at a time; records that arrive meanwhile share the next one, and its single sync. */
class FileJournal implements JournalStore {
  readonly #path: string
  readonly #disk: JournalDisk
  readonly #lock: DiskLock
  readonly #failpoint: Failpoint
  readonly #content: JournalContent
  #file: JournalFile
  /** Byte offset of the next record. */
  #end: number
  /** Bytes the file has, zeros behind the end included. */
  #size: number
  /** Records that go out together, until that begins. */
  #gathering: Entry[] | undefined
  #writing: Promise<unknown> = Promise.resolve()
  #broken: NodeError | undefined
  #closing: Promise<void> | undefined

  constructor({ path, disk, file, text, lock, failpoint }: Opened) {
    this.#path = path
    this.#disk = disk
    this.#file = file
    this.#lock = lock
    this.#failpoint = failpoint
    this.#content = text.content
    this.#end = text.keptBytes + text.repair.length
    this.#size = this.#end
  }

  readonly read = async (): Promise<JournalContent> => this.#content

  readonly append = (json: string, { keepFreeBytes = 0 }: AppendOptions = {}): Promise<void> =>
    new Promise((resolve, reject) => {
      this.#batch().push({ line: `${sealLine(json)}\n`, keepFreeBytes, resolve, reject })
    })

  readonly replace = (records: readonly string[]): Promise<void> => {
    // What comes from here on comes after it.
    this.#gathering = undefined
    return this.#inTurn(() => this.#replace(records))
  }

  readonly close = (): Promise<void> => {
    this.#closing ??= this.#inTurn(async () => {
      this.#broken ??= paymentError('JOURNAL_WRITE_FAILED', {
        path: this.#path,
        reason: 'it is closed',
        mayBeStored: false,
      })
      await this.#file.close()
      await this.#lock.release()
    })
    return this.#closing
  }

  #inTurn<T>(step: () => Promise<T>): Promise<T> {
    const result = this.#writing.then(step)
    this.#writing = result.catch(() => undefined)
    return result
  }

  #batch(): Entry[] {
    if (this.#gathering !== undefined) return this.#gathering
    const batch: Entry[] = []
    this.#gathering = batch
    void this.#inTurn(() => this.#writeBatch(batch))
    return batch
  }

  async #writeBatch(batch: readonly Entry[]): Promise<void> {
    if (this.#gathering === batch) this.#gathering = undefined
    if (this.#broken !== undefined) return refuse(batch, this.#broken)
    const written = await this.#withRoom(batch)
    if (written.length === 0) return
    try {
      await this.#write(written.map(({ line }) => line).join(''))
    } catch (error) {
      return refuse(written, await this.#afterFailure(error))
    }
    for (const { resolve } of written) resolve()
  }

  /** Returns the entries that fit on the disk. Entries that reserve room for later records are rejected first. */
  async #withRoom(batch: readonly Entry[]): Promise<readonly Entry[]> {
    const bytes = batch.reduce((sum, { line }) => sum + line.length, 0)
    const keepFree = batch.reduce((most, { keepFreeBytes }) => Math.max(most, keepFreeBytes), 0)
    try {
      await this.#grow(this.#end + bytes + keepFree)
      return batch
    } catch (error) {
      const fault = writeFailed(this.#path, error, false)
      if (keepFree === 0) {
        if (this.#end + bytes <= this.#size) return batch
        refuse(batch, fault)
        return []
      }
      refuse(
        batch.filter(({ keepFreeBytes }) => keepFreeBytes > 0),
        fault,
      )
      const others = batch.filter(({ keepFreeBytes }) => keepFreeBytes === 0)
      return others.length === 0 ? [] : this.#withRoom(others)
    }
  }

  /** Real zeros, not a hole: the space has to be there when it is needed. */
  async #grow(neededBytes: number): Promise<void> {
    if (neededBytes <= this.#size) return
    const size = Math.ceil(neededBytes / GROWTH_BYTES) * GROWTH_BYTES
    await this.#file.write(Buffer.alloc(size - this.#size), this.#size)
    // Space is only promised once the file system has found it.
    await this.#file.syncData()
    this.#size = size
    this.#failpoint('journal has room')
  }

  async #write(lines: string): Promise<void> {
    const bytes = Buffer.from(lines, 'latin1')
    await this.#file.write(bytes, this.#end)
    this.#failpoint('journal written')
    await this.#file.syncData()
    this.#failpoint('journal synced')
    this.#end += bytes.length
  }

  /** Takes back what may be half there. When that fails too, nobody knows, and nothing more is written. */
  async #afterFailure(error: unknown): Promise<NodeError> {
    try {
      await this.#file.truncate(this.#end)
      this.#size = this.#end
      await this.#file.sync()
      return writeFailed(this.#path, error, false)
    } catch {
      this.#broken = writeFailed(this.#path, error, false)
      return writeFailed(this.#path, error, true)
    }
  }

  async #replace(records: readonly string[]): Promise<void> {
    if (this.#broken !== undefined) throw this.#broken
    const lines = MAGIC + records.map((record) => `${sealLine(record)}\n`).join('')
    // The room that was kept is kept.
    const size = lines.length + this.#size - this.#end
    try {
      const file = await this.#newFile(newPathOf(this.#path), lines.padEnd(size, '\0'))
      const old = this.#file
      this.#file = file
      this.#end = lines.length
      this.#size = size
      this.#failpoint('compaction renamed')
      await old.close()
    } catch (error) {
      throw writeFailed(this.#path, error, false)
    }
    try {
      await this.#disk.syncFolder(dirname(this.#path))
    } catch (error) {
      // After a power cut the old file would be in its place, without what is written from here on.
      this.#broken = writeFailed(this.#path, error, false)
      throw this.#broken
    }
    this.#failpoint('compaction done')
  }

  /** Makes a file and puts it in the place of the old one. */
  async #newFile(path: string, lines: string): Promise<JournalFile> {
    const file = await this.#disk.create(path)
    try {
      await file.write(Buffer.from(lines, 'latin1'), 0)
      this.#failpoint('compaction written')
      await file.sync()
      this.#failpoint('compaction synced')
      await this.#disk.rename(path, this.#path)
      return file
    } catch (error) {
      await file.close()
      await this.#disk.remove(path)
      throw error
    }
  }
}

function refuse(entries: readonly Entry[], error: NodeError): void {
  for (const { reject } of entries) reject(error)
}
