import { readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { appFolder } from './build-brand.ts'

const root = join(appFolder(), '..', '..')
/** Checks for partners and miners; 9 to 11 are about the library. */
const numbers = [
  1, 2, 3, 4, 5, 6, 7, 8, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31, 32,
  33, 34, 35, 36, 37, 38, 39,
]

type Row = { readonly number: number; readonly files: readonly string[]; readonly isWalked: boolean }

let page: string
let rows: readonly Row[]
beforeAll(async () => {
  page = await readFile(join(appFolder(), 'CHECKS.md'), 'utf8')
  rows = [...page.matchAll(/^\| (\d+) \|[^|]*\|([^|]*)\|$/gm)].map(([, number = '', where = '']) => ({
    number: Number(number),
    files: [...where.matchAll(/`([^`]+\.test\.tsx?)`/g)].map(([, file = '']) => file),
    isWalked: where.includes('walk'),
  }))
})

/** Reads a file named on the page, relative to this folder or the repository. */
async function textOf(file: string): Promise<string> {
  const places = [join(appFolder(), file), join(root, file)]
  const found = await Promise.all(places.map((place) => readFile(place, 'utf8').catch(() => null)))
  return found.find((text) => text !== null) ?? ''
}

/** True if a test name begins with the number of a check. */
const names = (text: string, number: number): boolean =>
  new RegExp(`\\bit(?:\\.skipIf\\([^)]*\\))?\\(\\s*(?:'|"|\`)check ${number}: `).test(text)

describe('the page of acceptance checks', () => {
  it('has every check once, in its order', () => {
    expect(rows.map(({ number }) => number)).toEqual(numbers)
  })

  it('names files that try it, each with its number in a sentence; only a phone has none but its walk', async () => {
    for (const { number, files, isWalked } of rows) {
      expect(files.length > 0 || (number === 27 && isWalked), `check ${number}`).toBe(true)
      for (const file of files)
        expect(names(await textOf(file), number), `check ${number}: ${file}`).toBe(true)
    }
  })

  it('forgets no test that has a number', async () => {
    const files = await Promise.all(
      ['test', 'tools'].map(async (folder) =>
        (await readdir(join(appFolder(), folder))).map((name) => `${folder}/${name}`),
      ),
    )
    for (const file of files
      .flat()
      .filter((name) => name.endsWith('.test.ts') && !name.includes('checks-page'))) {
      const text = await textOf(file)
      for (const { number, files: named } of rows) {
        if (names(text, number)) expect(named, `check ${number}`).toContain(file)
      }
    }
  })

  it('has a walk for every row that speaks of one, with pictures that are there', async () => {
    const [, walks = ''] = page.split('## What has to be walked by hand')
    for (const { number, isWalked } of rows) {
      expect(new RegExp(`^\\* \\*\\*${number}, `, 'm').test(walks), `check ${number}`).toBe(isWalked)
    }
    for (const [, picture = ''] of page.matchAll(/\]\((pictures\/[^)]+)\)/g)) {
      expect((await stat(join(appFolder(), picture))).size).toBeGreaterThan(1_000)
    }
  })
})
