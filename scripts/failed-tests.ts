// Stores each failure of a run, so that `npm test` and `npm run test:gates` print them all after their last line: the
// output of some thirty packages is too long to search.
import { appendFileSync, mkdirSync } from 'node:fs'
import { dirname, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Reporter, SerializedError, TestModule } from 'vitest/node'

/** The same file is read, and emptied first, by `vitest` of scripts/bootstrap.mjs. */
const fileOf = (name: string): string => fileURLToPath(new URL(`../.hailstone/${name}.txt`, import.meta.url))
const root = fileURLToPath(new URL('..', import.meta.url))

function textOf(error: { readonly message: string; readonly stack?: string | undefined }): string {
  const place = /^\s*at .*\.test\.ts.*$/m.exec(error.stack ?? '')?.[0].trim() ?? ''
  const lines = error.message.split('\n')
  return [...lines.slice(0, 12), ...(lines.length > 12 ? ['…'] : []), place]
    .filter((line) => line !== '')
    .map((line) => `    ${line.slice(0, 400)}\n`)
    .join('')
}

function failuresOf(module: TestModule): string {
  const name = relative(root, module.moduleId)
  let text = module
    .errors()
    .map((error) => `  ${name}\n${textOf(error)}`)
    .join('')
  for (const test of module.children.allTests('failed')) {
    text += `  ${name}: ${test.fullName}\n${(test.result().errors ?? []).map(textOf).join('')}`
  }
  for (const suite of module.children.allSuites()) {
    if (suite.errors().length > 0)
      text += `  ${name}: ${suite.fullName}\n${suite.errors().map(textOf).join('')}`
  }
  return text
}

/** Tests that failed and passed when they were run again, with the error of the first time. */
function repeatedOf(module: TestModule): string {
  const name = relative(root, module.moduleId)
  return [...module.children.allTests('passed')]
    .filter((test) => test.diagnostic()?.flaky)
    .map(
      (test) =>
        `  ${name}: ${test.fullName} (passed at the second time)\n${(test.result().errors ?? []).map(textOf).join('')}`,
    )
    .join('')
}

function append(name: string, text: string): void {
  if (text === '') return
  const file = fileOf(name)
  mkdirSync(dirname(file), { recursive: true })
  appendFileSync(file, text)
}

/** Reporter of vitest, beside the one that prints. */
export const failedTests: Reporter = {
  onTestRunEnd(modules: readonly TestModule[], errors: readonly SerializedError[]) {
    const outside = errors.map((error) => `  outside of a test\n${textOf(error)}`)
    append('failed-tests', [...modules.map(failuresOf), ...modules.map(repeatedOf), ...outside].join(''))
  },
}
