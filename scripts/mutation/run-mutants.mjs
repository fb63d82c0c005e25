// Runs the tests of one file against mutants of it. The parent names a mutant, the answer is whether a test failed.
// One process for many mutants: starting vitest takes longer than most suites. The file on disk is never changed.
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { createVitest } from 'vitest/node'
import { mutantsOf } from './mutants.mjs'

// Many random cases for each of many mutants would take days.
process.env.HAILSTONE_VECTORS ??= '200'
process.env.HAILSTONE_FUZZ_CASES ??= '200'

const { folder, file, tests } = JSON.parse(process.argv[2])
process.chdir(folder)
const code = readFileSync(file, 'utf8')
const mutants = mutantsOf(code)
let mutant = null

const plugin = {
  name: 'mutant',
  enforce: 'pre',
  transform(_, id) {
    if (id.split('?')[0] !== file) return null
    if (mutant === null) return { code, map: null }
    return { code: code.slice(0, mutant.start) + mutant.text + code.slice(mutant.end), map: null }
  },
}

const vitest = await createVitest(
  'test',
  {
    config: false,
    root: folder,
    setupFiles: [fileURLToPath(new URL('../fixed-seed.ts', import.meta.url))],
    watch: false,
    bail: 1,
    reporters: [{ onInit: () => {} }],
    include: tests,
    passWithNoTests: false,
    maxWorkers: 1,
    isolate: false,
    fileParallelism: false,
    // A suite that fails for a busy machine's sake would count as one that noticed the mutant.
    testTimeout: 90_000,
    expect: { poll: { timeout: 5_000 } },
  },
  {
    plugins: [plugin],
    logLevel: 'silent',
    ssr: { resolve: { conditions: ['@hailstone/source', 'module', 'node', 'development|production'] } },
  },
)

process.on('message', async (number) => {
  mutant = number === null ? null : mutants[number]
  vitest.invalidateFile(file)
  vitest.state.filesMap.clear()
  const specifications = await vitest.globTestSpecifications()
  const { testModules, unhandledErrors } = await vitest.runTestSpecifications(specifications, true)
  const isAlive =
    testModules.length > 0 && testModules.every((one) => one.ok()) && unhandledErrors.length === 0
  vitest.state.errorsSet.clear()
  const failed = testModules.filter((one) => !one.ok()).map((one) => one.relativeModuleId)
  process.send({ number, isAlive, failures: [...failed, ...unhandledErrors.map(String)].join(', ') })
})
process.send({ ready: true })
