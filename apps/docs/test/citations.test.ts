import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'

const root = fileURLToPath(new URL('../../../', import.meta.url))
const read = (path: string): string => readFileSync(join(root, path), 'utf8')

const chapters = readdirSync(join(root, 'docs/protocol'))
  .filter((file) => /^\d-/.test(file))
  .map((file) => read(`docs/protocol/${file}`))

/** Numbers of all headings: `3` of a page, `3.5` and `3.5.2` of its sections. */
const numbers = chapters.flatMap((text) =>
  [...text.matchAll(/^#{1,3} (\d+(?:\.\d+)*) /gm)].map(([, number = '']) => number),
)

const citations = execFileSync('git', ['ls-files', '-z', 'packages', 'apps', 'scripts'], {
  cwd: root,
  encoding: 'utf8',
})
  .split('\0')
  .filter((path) => /\.(?:ts|tsx|mjs|md)$/.test(path) && existsSync(join(root, path)))
  .flatMap((path) =>
    [...read(path).matchAll(/PROTOCOL (\d+(?:\.\d+)*)/g)].map(([, number = '']) => ({ path, number })),
  )

it('has a heading for every section of the protocol that the code cites', () => {
  expect(citations.length).toBeGreaterThan(150)
  expect(citations.filter(({ number }) => !numbers.includes(number))).toEqual([])
})

it('numbers its sections once each, in order', () => {
  const inOrder = [...numbers].sort((one, other) => one.localeCompare(other, 'en', { numeric: true }))
  expect(numbers).toEqual([...new Set(inOrder)])
})
