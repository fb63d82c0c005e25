// `npm run mutate`: how many small mistakes in the modules that pay, mine and read the wire the tests notice (G-20).
// `npm run mutate -- payments --file src/payments/fee-cap.ts --limit 50` takes one group, one file of it, and at most
// fifty mutants of a file, spread over it. By hand: all of them take an hour and more.
import { fork } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { install, root } from './bootstrap.mjs'
import { groups } from './mutation/groups.mjs'

install()
const { mutantsOf } = await import('./mutation/mutants.mjs')

const runner = fileURLToPath(new URL('mutation/run-mutants.mjs', import.meta.url))
const words = process.argv.slice(2)
function option(name) {
  const at = words.indexOf(name)
  return at < 0 ? undefined : words.splice(at, 2)[1]
}
const limit = Number(option('--limit') ?? Number.POSITIVE_INFINITY)
const only = option('--file')
const chosen = words.length === 0 ? Object.keys(groups) : words
const unknown = chosen.filter((name) => groups[name] === undefined)
if (unknown.length > 0) {
  console.error(
    `There is no group ${unknown.join(', ')}. Groups: ${Object.keys(groups).join(', ')}; options: --file, --limit.`,
  )
  process.exit(2)
}

/** Longer than any suite here takes: what takes longer goes round in circles, and was noticed. */
const TIMEOUT_MS = 240_000

const started = new Set()
function end(child) {
  try {
    process.kill(-child.pid, 'SIGKILL')
  } catch (error) {
    if (error.code !== 'ESRCH') throw error
  }
}
process.on('exit', () => started.forEach(end))
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => process.exit(1))

function start(task) {
  const child = fork(runner, [JSON.stringify(task)], {
    cwd: task.folder,
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    // A group of its own: a worker of vitest with a mutant that never ends would go on without its parent.
    detached: true,
  })
  started.add(child)
  child.on('exit', () => started.delete(child))
  let said = ''
  child.stderr.on('data', (chunk) => {
    said = `${said}${chunk}`.slice(-2000)
  })
  const waiting = []
  child.on('message', (message) => waiting.shift()?.(message))
  child.on('exit', () => waiting.shift()?.({ isDead: true, said }))
  const next = () => new Promise((resolve) => waiting.push(resolve))
  return { child, next }
}

async function ask(runner, number) {
  let timer
  const late = new Promise((resolve) => {
    timer = setTimeout(resolve, TIMEOUT_MS, { isLate: true })
  })
  const answer = runner.next()
  runner.child.send(number)
  const outcome = await Promise.race([answer, late])
  clearTimeout(timer)
  return outcome
}

async function mutate(name) {
  const { package: folder, files, tests } = groups[name]
  const total = { killed: 0, survived: [] }
  for (const path of files.filter((one) => only === undefined || one === only)) {
    const file = join(root, folder, path)
    const mutants = mutantsOf(readFileSync(file, 'utf8'))
    const every = Math.max(1, Math.ceil(mutants.length / limit))
    const task = { folder: join(root, folder), file, tests: tests[path] ?? tests.all }
    let running = start(task)
    await running.next()
    const sound = await ask(running, null)
    if (sound.isAlive !== true)
      throw new Error(
        `${path}: its tests fail without a mutant. ${sound.failures ?? sound.said ?? 'They took too long.'}`,
      )
    let [killed, tried] = [0, 0]
    for (let number = 0; number < mutants.length; number += every) {
      const { isAlive, isLate, isDead } = await ask(running, number)
      tried++
      if (isAlive === true) {
        const { line, what } = mutants[number]
        total.survived.push(`${folder}/${path}:${line}  ${what}`)
      } else killed++
      if (isLate || isDead) {
        end(running.child)
        running = start(task)
        await running.next()
      }
    }
    const again = await ask(running, null)
    if (again.isAlive !== true) throw new Error(`${path}: a mutant was left behind`)
    end(running.child)
    total.killed += killed
    console.log(`  ${path}: ${killed} of ${tried} killed (${mutants.length} mutants)`)
  }
  const tried = total.killed + total.survived.length
  console.log(`${name}: ${total.killed} of ${tried} killed, ${((100 * total.killed) / tried).toFixed(1)} %`)
  for (const one of total.survived) console.log(`  alive  ${one}`)
  return total.killed / tried
}

const scores = []
for (const name of chosen) scores.push(await mutate(name))
process.exit(scores.every((score) => score >= 0.85) ? 0 : 1)
