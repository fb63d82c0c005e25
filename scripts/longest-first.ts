// Order of the test files of a run. Files of one package stay together, since those that share a process load its
// modules once; the longest come first, so that no worker is left with one at the end.
import { readFileSync } from 'node:fs'
import { relative, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

const root = fileURLToPath(new URL('..', import.meta.url))

/** Seconds of each test file by the clock, as `npm run test:costs` wrote them; short files are not named. */
const costs = JSON.parse(readFileSync(new URL('./test-costs.json', import.meta.url), 'utf8')) as {
  readonly [file: string]: { readonly seconds: number }
}
const SHORT = 0.5

const secondsOf = ({ moduleId }: TestSpecification): number =>
  costs[relative(root, moduleId).split(sep).join('/')]?.seconds ?? SHORT

export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const longest = new Map<string, number>()
    for (const file of files) {
      const { name } = file.project
      longest.set(name, Math.max(longest.get(name) ?? 0, secondsOf(file)))
    }
    const longestOf = (file: TestSpecification): number => longest.get(file.project.name) ?? 0
    return [...files].sort(
      (one, other) =>
        longestOf(other) - longestOf(one) ||
        one.project.name.localeCompare(other.project.name) ||
        secondsOf(other) - secondsOf(one) ||
        one.moduleId.localeCompare(other.moduleId),
    )
  }
}
