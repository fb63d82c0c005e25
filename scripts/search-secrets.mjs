// `npm run test:secrets`: runs all tests anew and searches everything they print for the secrets they use
// (S-4 of docs/gates.md). `npm run test:secrets -- FILE…` searches files instead, such as a saved log.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { findCanary, spellings } from '../packages/client/test/support/canary-spellings.mjs'
import { build, environment, install, root, step } from './bootstrap.mjs'
import { ensureBrowser, ensureHeadlessShell } from './browser.mjs'

/** Colours may stand within a word. */
const colours = /\u001b\[[0-9;]*m/g

const found = (text) => findCanary(text.replace(colours, ''))

/** Everything a command prints, on both streams. */
async function outputOf(command, parameters) {
  const program = spawn(command, parameters, { cwd: root, env: environment(), stdio: 'pipe' })
  let output = ''
  for (const stream of [program.stdout, program.stderr]) {
    stream.setEncoding('utf8').on('data', (text) => {
      output += text
    })
  }
  const [code] = await once(program, 'close')
  return { output, code }
}

/** A search that finds nothing has to be able to find something. */
async function assertFinds() {
  for (const spelling of spellings) {
    const half = Math.floor(spelling.length / 2)
    const planted = `${spelling.slice(0, half)}\u001b[31m${spelling.slice(half)}`
    const { output } = await outputOf(process.execPath, ['-e', `console.error(${JSON.stringify(planted)})`])
    if (found(output).length === 0) throw new Error('a secret that was printed on purpose was not found')
  }
}

async function testOutput() {
  install()
  ensureHeadlessShell()
  ensureBrowser()
  build()
  process.stdout.write('  … all tests, with everything they print (an hour or more)\n')
  Object.assign(process.env, { HAILSTONE_TIER: 'night', HAILSTONE_BUILT_PACKAGES: '1' })
  const { output, code } = await outputOf('vitest', ['run', '--reporter=verbose'])
  if (code !== 0) process.stderr.write(output)
  process.stdout.write(`  ✓ tests ended with ${code}; ${output.length} characters were printed\n`)
  return { name: 'the output of the tests', text: output, isComplete: code === 0 }
}

const files = process.argv.slice(2)
await assertFinds()
const texts =
  files.length > 0
    ? files.map((name) => ({ name, text: readFileSync(name, 'latin1'), isComplete: true }))
    : [await testOutput()]
for (const { name, text } of texts) {
  const spelled = found(text)
  // Never the secret itself: this is output as well.
  if (spelled.length > 0)
    process.stderr.write(`${name}: secrets were printed, in ${spelled.length} spellings.\n`)
  else step(`no secret in ${name}, ${text.length} characters, ${spellings.length} spellings`, () => undefined)
}
const isClean = texts.every(({ text, isComplete }) => isComplete && found(text).length === 0)
process.exit(isClean ? 0 : 1)
