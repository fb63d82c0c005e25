import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { keptPlaceOf } from './kept-place.ts'

const url = 'postgres://user:secret@127.0.0.1:5432/database'

describe('the place of the tables', () => {
  it('is a folder, a database from the arguments, a file or the environment, or memory', () => {
    const folder = mkdtempSync(join(tmpdir(), 'hailstone-place-'))
    onTestFinished(() => rmSync(folder, { recursive: true }))
    const file = join(folder, 'url')
    writeFileSync(file, `\uFEFF\r\n${url}\r\n`, { mode: 0o600 })
    expect(keptPlaceOf({}, {})).toStrictEqual({ folder: undefined, database: undefined, warnings: [] })
    expect(keptPlaceOf({ data: folder }, {})).toMatchObject({ folder, database: undefined })
    expect(keptPlaceOf({ database: url }, {})).toMatchObject({
      database: url,
      warnings: [expect.stringContaining('in the list of processes')],
    })
    expect(keptPlaceOf({ 'database-file': file }, {})).toMatchObject({ database: url, warnings: [] })
    expect(keptPlaceOf({}, { HAILSTONE_DATABASE: url })).toMatchObject({ database: url, warnings: [] })
    chmodSync(file, 0o644)
    expect(keptPlaceOf({ 'database-file': file }, {}).warnings).toStrictEqual([
      `Others on this machine may read the password in ${file} (mode 0644): run chmod 600 on it.`,
    ])
    // The command line is nearer.
    expect(keptPlaceOf({ database: `${url}2` }, { HAILSTONE_DATABASE: url }).database).toBe(`${url}2`)
  })

  it('is not named beside --memory', () => {
    const memory = { isMemory: true }
    expect(keptPlaceOf({}, {}, memory)).toMatchObject({ folder: undefined, database: undefined })
    expect(() => keptPlaceOf({ data: 'x' }, {}, memory)).toThrow('--memory and --data name more')
    expect(() => keptPlaceOf({}, { HAILSTONE_DATABASE: url }, memory)).toThrow(
      '--memory and HAILSTONE_DATABASE name more',
    )
  })

  it.each([
    [{ data: '' }, {}, '--data needs a value'],
    [{ 'database-file': ' ' }, {}, '--database-file needs a value'],
    [{ data: 'x', database: url }, {}, '--data and --database name more'],
    [{ data: 'x' }, { HAILSTONE_DATABASE: url }, '--data and HAILSTONE_DATABASE name more'],
    [{ database: url, 'database-file': 'x' }, {}, '--database and --database-file name more'],
    [{ 'database-file': '/nowhere/at-all' }, {}, '--database-file cannot be read: ENOENT'],
  ])('is one: %j %j', (given, environment, sentence) => {
    expect(() => keptPlaceOf(given, environment)).toThrow(sentence)
  })
})
