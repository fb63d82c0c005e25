import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'

const root = fileURLToPath(new URL('../../..', import.meta.url))
const documents = readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.md'))
  .map((name) => join('docs', name))

/** Texts in code are no links. */
const linksIn = (text: string): readonly string[] =>
  [
    ...text
      .replaceAll(/```[\s\S]*?```/g, '')
      .replaceAll(/`[^`\n]*`/g, 'x')
      .matchAll(/\]\(([^)\s]+)\)/g),
  ].map(([, target = '']) => target)

it('every link of a document leads to a file of a clone, and to a heading of the list of errors', () => {
  const errors = readFileSync(join(root, 'packages/protocol/ERRORS.md'), 'utf8').toLowerCase()
  const dead = documents.flatMap((path) =>
    linksIn(readFileSync(join(root, path), 'utf8')).flatMap((target) => {
      if (/^(?:https?:|mailto:|#)/.test(target)) return []
      const [file = '', anchor = ''] = target.split('#')
      const place = join(root, dirname(path), file)
      const isThere =
        existsSync(place) &&
        (!file.endsWith('ERRORS.md') || errors.includes(`\n## ${anchor}\n`) || anchor === '')
      return isThere ? [] : [`${path}: ${target}`]
    }),
  )
  expect(dead).toEqual([])
})
