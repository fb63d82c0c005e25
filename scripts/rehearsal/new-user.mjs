// What a new user has: an empty home, an empty folder, the registry of this rehearsal, and nothing of the workspace.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { root } from '../bootstrap.mjs'

const LINE_WITHIN_MS = 300_000
const END_WITHIN_MS = 240_000
const REPEATED_AFTER_MS = 20

export const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm'
export const npx = process.platform === 'win32' ? 'npx.cmd' : 'npx'
export const scratch = mkdtempSync(join(tmpdir(), 'hailstone-rehearsal-'))
export const emptyFolder = () => mkdtempSync(join(scratch, 'folder-'))

const children = new Set()

/** Starts a process that ends with this one, at the latest. */
export function start(command, parameters, options) {
  // A group of its own, so that what it starts ends with it.
  const child = spawn(command, parameters, { detached: true, ...options })
  children.add(child)
  child.once('exit', () => children.delete(child))
  return child
}

function signal(child, name) {
  try {
    process.kill(-child.pid, name)
  } catch {
    // It has ended.
  }
}

// A signal ends a process without its `exit` listeners; what was started would stay.
for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.once(name, () => process.exit(1))
process.on('exit', () => {
  for (const child of children) signal(child, 'SIGKILL')
  rmSync(scratch, { recursive: true, force: true })
})

export async function freePort() {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address()
  server.close()
  await once(server, 'close')
  return port
}

/** Environment of a new user of the registry at this port. */
export function newUser(port) {
  const home = mkdtempSync(join(scratch, 'home-'))
  // pnpm takes the registry from here, not from the environment.
  writeFileSync(join(home, '.npmrc'), `registry=http://127.0.0.1:${port}/\n`)
  const kept = Object.entries(process.env).filter(([name]) => !/^(npm_|hailstone_|node_)/i.test(name))
  const path = String(process.env.PATH)
    .split(':')
    .filter((folder) => !folder.startsWith(root))
  return {
    ...Object.fromEntries(kept),
    PATH: path.join(':'),
    HOME: home,
    npm_config_registry: `http://127.0.0.1:${port}/`,
    npm_config_update_notifier: 'false',
    [`npm_config_//127.0.0.1:${port}/:_authToken`]: 'rehearsal',
  }
}

/**
 * Starts a command whose output is read line by line. `line` resolves with the first line that fits, and rejects when
 * the command ends before; `end` sends SIGINT, as Ctrl-C does, and resolves with all that was printed. With `isRepeated`
 * it is sent twice, as a runner does that passes it on. `group` has all processes that the command starts.
 */
export function follow(command, parameters, options) {
  const child = start(command, parameters, { ...options, stdio: ['ignore', 'pipe', 'pipe'] })
  const title = `${command} ${parameters.join(' ')}`
  const lines = []
  const waiting = new Set()
  const look = () => {
    for (const one of waiting) one()
  }
  for (const stream of [child.stdout, child.stderr])
    createInterface({ input: stream }).on('line', (line) => {
      lines.push(line)
      look()
    })
  const ended = new Promise((resolve) => child.once('close', (code, name) => resolve(name ?? code)))
  let outcome
  ended.then((how) => {
    outcome = how
    look()
  })
  const failure = (why) => new Error(`${title}: ${why}\n${lines.join('\n')}`)

  function line(fits) {
    return new Promise((resolve, reject) => {
      const settle = (act) => {
        clearTimeout(timer)
        waiting.delete(check)
        act()
      }
      const timer = setTimeout(
        () => settle(() => reject(failure(`nothing that fits within ${LINE_WITHIN_MS / 1000} s`))),
        LINE_WITHIN_MS,
      )
      const check = () => {
        const found = lines.find(fits)
        if (found !== undefined) settle(() => resolve(found))
        else if (outcome !== undefined) settle(() => reject(failure(`it ended with ${outcome}`)))
      }
      waiting.add(check)
      check()
    })
  }

  /** Resolves with the output when the command ended well. */
  async function end({ interrupt = true, isRepeated = false } = {}) {
    if (interrupt) signal(child, 'SIGINT')
    if (isRepeated) setTimeout(() => signal(child, 'SIGINT'), REPEATED_AFTER_MS)
    const limit = setTimeout(() => signal(child, 'SIGKILL'), interrupt ? 20_000 : END_WITHIN_MS)
    const how = await ended
    clearTimeout(limit)
    if (how !== 0 && !(interrupt && how === 'SIGINT')) throw failure(`it ended with ${how}`)
    return lines.join('\n')
  }
  return { group: child.pid, line, end, lines }
}

/** Runs a command to its end and resolves with its output. */
export const finish = (command, parameters, options) =>
  follow(command, parameters, options).end({ interrupt: false })

/** Rejects a warning of an installer about a package, which people take for a failure. */
export function assertQuiet(printed) {
  // npm says this of every package that `npm create` runs for the first time.
  const others = printed.replace(/^npm warn exec The following package was not found.*$/m, '')
  if (/\bwarn\b|EBADENGINE|deprecated/i.test(others)) throw new Error(`the installer warned:\n${printed}`)
}

/** Prints how long a piece of work took, and what it resolved with. */
export async function timed(title, work) {
  const startedAt = performance.now()
  const outcome = await work()
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(1)
  process.stdout.write(`  ✓ ${title} — ${seconds} s${outcome ? ` (${outcome})` : ''}\n`)
}
