import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'

const source = join(import.meta.dirname, '../src')
const textOf = (path: string): string => readFileSync(join(source, path), 'utf8')

/** The words of a comment, without its example. */
const wordsOf = (comment: string): string =>
  comment
    .replace(/\n? *\* ?/g, ' ')
    .replace(/@example.*/s, '')
    .replace(/\s+/g, ' ')
    .trim()

const functions = readdirSync(join(source, 'actions'))
  .filter((name) => !name.includes('.test.'))
  .map((name) => textOf(`actions/${name}`))
  .join('\n')
const [, table = ''] = /export const actions = {\n(.*?)\n}/s.exec(textOf('client-actions.ts')) ?? []
const members = [...table.matchAll(/\/\*\*(.*?)\*\/\s+(\w+),/gs)]

it('every method of a client has the words of its function, and an example', () => {
  expect(members.length).toBeGreaterThan(40)
  expect(table.match(/^ {2}\w+,$/gm)).toHaveLength(members.length)
  for (const [, comment = '', name = ''] of members) {
    const found = new RegExp(
      `/\\*\\*((?:(?!\\*/).)*)\\*/\\s+export (?:async )?(?:function\\*?|const) ${name}\\b`,
      's',
    ).exec(functions)
    expect(wordsOf(comment), name).toBe(wordsOf(found?.[1] ?? ''))
    expect(comment, name).toMatch(new RegExp(`@example\\s.*client\\.${name}\\(`, 's'))
  }
})
