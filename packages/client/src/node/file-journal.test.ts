import { chmod, mkdtemp, readdir, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isNodeError } from '@hailstone/protocol'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { gateSize } from '../../../../scripts/gate-size.ts'
import { sealLine } from '../payments/journal-line.ts'
import { MAGIC, openFileJournal } from './file-journal.ts'
import { systemDisk } from './journal-disk.ts'
import { readJournalText } from './journal-text.ts'

let folder: string
let path: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'hailstone-journal-'))
  path = join(folder, 'payments.journal')
})
afterEach(() => rm(folder, { recursive: true, force: true }))

const record = (n: number): string => JSON.stringify({ v: 1, n, text: 'a memo with blanks, 64 @ and so on' })
const records = [1, 2, 3].map(record)

async function write(more: readonly string[]): Promise<void> {
  const journal = await openFileJournal({ path })
  for (const json of more) await journal.append(json)
  await journal.close()
}

async function readBack() {
  const journal = await openFileJournal({ path })
  try {
    return await journal.read()
  } finally {
    await journal.close()
  }
}

const codeOf = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => 'no error',
    (error) => (isNodeError(error) ? error.code : error),
  )

const written = (lines: readonly string[]): string =>
  MAGIC + lines.map((json) => `${sealLine(json)}\n`).join('')

describe('a file journal', () => {
  it('gives back what was appended, in order, for this user alone', async () => {
    await write(records.slice(0, 2))
    await write(records.slice(2))
    expect(await readBack()).toStrictEqual({ records, damagedRecords: 0, tornBytes: 0 })
    expect((await stat(path)).mode & 0o777).toBe(0o600)
    expect(await readdir(folder)).toStrictEqual(['payments.journal'])
  })

  it.each(['rename', 'syncFolder'] as const)(
    'leaves no file open that it could not put in place: %s',
    async (step) => {
      let open = 0
      const create: typeof systemDisk.create = async (given) => {
        const file = await systemDisk.create(given)
        open++
        return { ...file, close: () => file.close().finally(() => open--) }
      }
      const failing = () => Promise.reject(Object.assign(new Error('no'), { code: 'EIO' }))
      const disk = { ...systemDisk, create }
      const own = await openFileJournal({ path, disk })
      await own.append(record(1))
      disk[step] = failing
      for (let count = 0; count < 3; count++)
        expect(await codeOf(own.replace([]))).toBe('JOURNAL_WRITE_FAILED')
      // What is appended to a file that may not be there after a power cut would be lost.
      expect(await codeOf(own.append(record(2)))).toBe(
        step === 'rename' ? 'no error' : 'JOURNAL_WRITE_FAILED',
      )
      await own.close()
      expect([open, await readdir(folder)]).toStrictEqual([0, ['payments.journal']])
    },
  )

  it('takes permissions that others have away', async () => {
    await write(records)
    await chmod(path, 0o644)
    await write([])
    expect((await stat(path)).mode & 0o777).toBe(0o600)
  })

  it('keeps records that come at the same time in their order, each of them whole', async () => {
    const journal = await openFileJournal({ path })
    const many = Array.from({ length: 300 }, (_, n) => record(n))
    await Promise.all(many.map((json) => journal.append(json)))
    await journal.close()
    expect((await readBack()).records).toStrictEqual(many)
  })

  it('has room for what follows before it says that the first record is there', async () => {
    const journal = await openFileJournal({ path })
    await journal.append(record(1), { keepFreeBytes: 100_000 })
    expect((await stat(path)).size).toBeGreaterThan(100_000)
    expect((await stat(path)).blocks * 512).toBeGreaterThan(100_000)
    await journal.close()
    expect((await readBack()).records).toStrictEqual([record(1)])
  })

  it('K8: replaces all records at once, goes on behind them and keeps its room', async () => {
    const journal = await openFileJournal({ path })
    for (const json of records) await journal.append(json, { keepFreeBytes: 50_000 })
    await Promise.all([journal.append(record(4)), journal.replace([record(9)]), journal.append(record(5))])
    expect((await stat(path)).size).toBeGreaterThan(50_000)
    await journal.close()
    expect((await readBack()).records).toStrictEqual([record(9), record(5)])
    expect(await readdir(folder)).toStrictEqual(['payments.journal'])
  })

  it('K8: a new file that was not finished is thrown away', async () => {
    await write(records)
    await writeFile(`${path}.new`, written([record(7)]).slice(0, -3))
    expect((await readBack()).records).toStrictEqual(records)
    expect(await readdir(folder)).toStrictEqual(['payments.journal'])
  })

  it('refuses to write once it is closed', async () => {
    const journal = await openFileJournal({ path })
    await journal.close()
    await journal.close()
    expect(await codeOf(journal.append(record(1)))).toBe('JOURNAL_WRITE_FAILED')
    expect(await codeOf(journal.replace([]))).toBe('JOURNAL_WRITE_FAILED')
  })
})

/** Bytes from one cut to the next: a prime, so that no field is always cut at the same place. */
const EVERY = gateSize('HAILSTONE_CUT_EVERY', { change: 5, night: 1 })

describe('T2: a power cut', () => {
  it(`at ${EVERY === 1 ? 'any' : `every ${EVERY}th`} byte leaves whole records, and says how much of the last one was torn`, async () => {
    const whole = written(records)
    const ends = [0, 1, 2, 3].map((count) => written(records.slice(0, count)).length)
    for (let length = 0; length <= whole.length; length += EVERY) {
      for (const rest of ['', '\0'.repeat(64)]) {
        await writeFile(path, whole.slice(0, length) + rest, 'latin1')
        const { records: found, damagedRecords, tornBytes } = await readBack()
        // A record that lacks its line end alone is a whole one.
        const count = ends.filter((end) => end - 1 <= length).length - 1
        expect([length, found]).toStrictEqual([length, records.slice(0, Math.max(0, count))])
        expect(damagedRecords).toBe(0)
        if (length >= MAGIC.length) expect(tornBytes).toBe(Math.max(0, length - (ends[count] ?? 0)))
        await write([record(8)])
        expect((await readBack()).records).toStrictEqual([...found, record(8)])
      }
    }
  })

  it('that leaves nothing but a length or zeros leaves an empty journal', async () => {
    await writeFile(path, '\0'.repeat(4096))
    expect(await readBack()).toStrictEqual({ records: [], damagedRecords: 0, tornBytes: 0 })
    await truncate(path, 0)
    expect((await readBack()).records).toStrictEqual([])
  })
})

describe('T3: a bit that is another', () => {
  it('anywhere is noticed: nothing is lost or changed in silence', async () => {
    const whole = Buffer.from(`${written(records)}\0\0\0\0`, 'latin1')
    for (let bit = 0; bit < whole.length * 8; bit++) {
      const flipped = Buffer.from(whole)
      flipped[bit >> 3] = (flipped[bit >> 3] ?? 0) ^ (1 << (bit & 7))
      const text = readJournalText(flipped.toString('latin1'), MAGIC)
      if ('refusal' in text) continue
      const { records: found, damagedRecords, tornBytes } = text.content
      expect(found.every((json) => records.includes(json))).toBe(true)
      const isWhole = found.length === records.length
      // A bit in the zeros behind the end is dust, and is swept up.
      if (isWhole)
        expect([damagedRecords, bit >> 3 > whole.length - 6 || tornBytes === 0]).toStrictEqual([0, true])
      else expect([bit, damagedRecords > 0]).toStrictEqual([bit, true])
    }
  })

  it('is told with the number of records, and the file is kept beside', async () => {
    await write(records)
    const text = await readFile(path, 'latin1')
    await writeFile(path, text.replace('"n":2', '"n":3'), 'latin1')
    expect(await readBack()).toStrictEqual({
      records: [record(1), record(3)],
      damagedRecords: 1,
      tornBytes: 0,
    })
    expect(await readFile(`${path}.damaged`, 'latin1')).toContain('"n":3,"text"')
    await write([record(4)])
    expect((await readBack()).records).toStrictEqual([record(1), record(3), record(4)])
  })

  it('M9: is kept beside each time, and once only while nothing else is damaged', async () => {
    const damage = async (from: string, to: string) =>
      writeFile(path, (await readFile(path, 'latin1')).replace(from, to), 'latin1')
    const copies = async () => (await readdir(folder)).filter((name) => name.includes('.damaged')).sort()
    const copyOf = (name: string) => readFile(join(folder, name), 'latin1')
    await write(records)
    await damage('"n":2', '"n":7')
    const journal = await openFileJournal({ path })
    await journal.append(record(4), { keepFreeBytes: 5_000 })
    await journal.close()
    await write([record(5)])
    expect(await copies()).toStrictEqual(['payments.journal.damaged'])
    const accepted = await openFileJournal({ path })
    await accepted.replace((await accepted.read()).records)
    await accepted.close()
    await damage('"n":4', '"n":8')
    for (let count = 0; count < 2; count++) expect((await readBack()).damagedRecords).toBe(1)
    await damage('"n":5', '"n":9')
    expect((await readBack()).damagedRecords).toBe(2)
    expect(await copies()).toStrictEqual([
      'payments.journal.damaged',
      'payments.journal.damaged-2',
      'payments.journal.damaged-3',
    ])
    expect(await copyOf('payments.journal.damaged')).toContain('"n":7')
    expect(await copyOf('payments.journal.damaged-2')).toContain('"n":8')
    expect(await copyOf('payments.journal.damaged-3')).toContain('"n":9')
    for (const name of await copies()) expect((await stat(join(folder, name))).mode & 0o777).toBe(0o600)
  })
})

describe('another file', () => {
  it.each([
    ['T8: of a newer version', MAGIC.replace('1', '2') + sealLine(record(1))],
    ['that is no journal', '{"address":"02…"}\n'],
    ['whose first line is damaged', written(records).replace('hail', 'hbil')],
  ])('%s is refused and left as it is', async (_, text) => {
    await writeFile(path, text)
    expect(await codeOf(openFileJournal({ path }))).toBe('JOURNAL_INVALID')
    expect(await readFile(path, 'utf8')).toBe(text)
    expect(await readdir(folder)).toStrictEqual(['payments.journal'])
  })

  it('that is a folder is refused', async () => {
    expect(await codeOf(openFileJournal({ path: folder }))).toBe('JOURNAL_INVALID')
  })
})

describe('T6: one journal', () => {
  it('is for one at a time, in one process too', async () => {
    const first = await openFileJournal({ path })
    const error = await openFileJournal({ path }).catch((reason: unknown) => reason)
    expect(error).toMatchObject({ code: 'JOURNAL_LOCKED', facts: { path, processId: process.pid } })
    await first.close()
    expect(await codeOf(write(records))).toBe('no error')
  })

  it.each([
    ['a process that is gone', '999999999 1'],
    ['an earlier process of our own number', `${process.pid} 1`],
    ['another start of a number that is taken again', `${process.ppid} 1`],
    ['nobody', ''],
  ])('is taken over from %s', async (_, content) => {
    await writeFile(`${path}.lock`, content)
    expect(await codeOf(write(records))).toBe('no error')
    expect(await readdir(folder)).toStrictEqual(['payments.journal'])
  })

  it('is left to one of many that want to take it over', async () => {
    await writeFile(`${path}.lock`, '999999999 1')
    const opened = await Promise.allSettled(Array.from({ length: 8 }, () => openFileJournal({ path })))
    const journals = opened.filter((result) => result.status === 'fulfilled')
    expect(journals).toHaveLength(1)
    await journals[0]?.value.close()
  })
})
