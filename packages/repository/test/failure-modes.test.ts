import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'

const root = fileURLToPath(new URL('../../../', import.meta.url))
const page = readFileSync(join(root, 'docs/failure-modes.md'), 'utf8')

const rows = [...page.matchAll(/^\| ((?:[A-Z]|trap )\d+) \| [^|]+ \| (.+) \|$/gm)].map(
  ([, name = '', cell = '']) => ({
    name,
    why: /not tested, because (\w+ .{10,})/.exec(cell)?.[1],
    tests: [...cell.matchAll(/`([^`]+)` › ([^`]+?)(?=, `|; |$)/g)].map(([, file = '', title = '']) => ({
      file,
      title,
    })),
  }),
)

/** Number of rows of each kind, in the order of the page. */
const kinds = {
  N: 15,
  G: 16,
  H: 12,
  C: 4,
  T: 10,
  K: 10,
  P: 4,
  U: 4,
  F: 7,
  B: 6,
  W: 6,
  X: 8,
  M: 6,
  A: 8,
  L: 7,
  D: 3,
}

it('the page of failure modes has all 126 rows, each once and in order', () => {
  const expected = Object.entries(kinds).flatMap(([kind, count]) =>
    Array.from({ length: count }, (_, at) => `${kind}${at + 1}`),
  )
  expect(expected).toHaveLength(126)
  expect(rows.map(({ name }) => name).filter((name) => !name.startsWith('trap'))).toEqual(expected)
})

it('S-14: the exam has all 52 traps of the protocol, in order', () => {
  const traps = rows.filter(({ name }) => name.startsWith('trap')).map(({ name }) => name)
  expect(traps).toEqual(Array.from({ length: 52 }, (_, at) => `trap ${at + 1}`))
})

describe.each(rows)('$name', ({ tests, why }) => {
  it('has a test of that title, or says why it has none', () => {
    expect(tests.length > 0 || why !== undefined).toBe(true)
    for (const { file, title } of tests) {
      expect(existsSync(join(root, file)), file).toBe(true)
      const titled = readFileSync(join(root, file), 'utf8')
        .split('\n')
        .filter((line) => line.includes(title) && !/^\s*(?:\/\/|\*)/.test(line))
      expect(titled.length, `${file} › ${title}`).toBeGreaterThan(0)
      expect(title.length).toBeGreaterThan(8)
    }
  })
})
