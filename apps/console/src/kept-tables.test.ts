import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { keptTablesOf } from './kept-tables.ts'

const url = 'postgres://user:secret@127.0.0.1:5432/database'

describe('the place of the tables', () => {
  it('is a folder, a database from the arguments, a file or the environment, or memory', () => {
    const folder = mkdtempSync(join(tmpdir(), 'hailstone-place-'))
    onTestFinished(() => rmSync(folder, { recursive: true }))
    const file = join(folder, 'url')
    writeFileSync(file, `\uFEFF${url}\r\n`)
    expect(keptTablesOf({}, {})).toStrictEqual({ folder: undefined, database: undefined, isOpen: false })
    expect(keptTablesOf({ data: folder }, {})).toMatchObject({ folder, database: undefined })
    expect(keptTablesOf({ database: url }, {})).toMatchObject({ database: url, isOpen: true })
    expect(keptTablesOf({ 'database-file': file }, {})).toMatchObject({ database: url, isOpen: false })
    expect(keptTablesOf({}, { HAILSTONE_DATABASE: url })).toMatchObject({ database: url, isOpen: false })
    // The command line is nearer.
    expect(keptTablesOf({ database: `${url}2` }, { HAILSTONE_DATABASE: url }).database).toBe(`${url}2`)
  })

  it.each([
    [{ data: 'x', database: url }, {}, '--data and --database name more'],
    [{ data: 'x' }, { HAILSTONE_DATABASE: url }, '--data and HAILSTONE_DATABASE name more'],
    [{ database: url, 'database-file': 'x' }, {}, '--database and --database-file name more'],
    [{ 'database-file': '/nowhere/at-all' }, {}, '--database-file cannot be read: ENOENT'],
  ])('is one: %j %j', (given, environment, sentence) => {
    expect(() => keptTablesOf(given, environment)).toThrow(sentence)
  })
})
