import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

const packageFolder = (name: string): string => fileURLToPath(new URL(`../../${name}`, import.meta.url))
const bin = join(packageFolder('local-network'), 'dist', 'bin.js')

async function newest(folder: string): Promise<number> {
  const files = await readdir(folder, { recursive: true, withFileTypes: true })
  const sources = files.filter((file) => file.isFile() && !file.name.endsWith('.test.ts'))
  const times = await Promise.all(
    sources.map(async (file) => (await stat(join(file.parentPath, file.name))).mtimeMs),
  )
  return Math.max(0, ...times)
}

/** The command runs what is built; it is built anew when the sources have changed since. */
async function buildPackage(name: string): Promise<void> {
  const [source, output] = ['src', 'dist'].map((folder) => join(packageFolder(name), folder))
  const built = await newest(String(output)).catch(() => 0)
  if (built > (await newest(String(source)))) return
  const compiler = join(packageFolder(name), 'node_modules', '.bin', 'tsc')
  await promisify(execFile)(compiler, ['-p', 'tsconfig.build.json'], { cwd: packageFolder(name) })
}

/** Builds what the command runs, where that is older than its sources. */
export async function buildCommand(): Promise<void> {
  await buildPackage('protocol')
  await buildPackage('ledger')
  await buildPackage('local-network')
}

export type Run = {
  readonly child: ChildProcess
  /** Height it began with, once it says so. */
  readonly began: Promise<number | null>
  /** Base of its HTTP interface, once it says so. */
  readonly apiUrl: Promise<string | null>
  /** Address of its gateway, once it says so. */
  readonly gatewayUrl: Promise<string | null>
  /** The list of accounts, once it is complete; null if it never is. */
  readonly accounts: Promise<string | null>
  /** The greatest height it has told. */
  readonly reported: () => number
  readonly errors: () => string
  /** Exit code, or the signal that ended it. */
  readonly ended: Promise<number | string>
}

/** Children that a failed test left running. */
const children = new Set<ChildProcess>()
process.once('exit', () => {
  for (const child of children) child.kill('SIGKILL')
})

/** The command, on free ports. */
export function runCommand(...args: string[]): Run {
  const child = spawn(process.execPath, [bin, '--port', '0', '--gateway-port', '0', ...args])
  children.add(child)
  child.once('exit', () => children.delete(child))
  let reported = -1
  let errors = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    errors += text
  })
  const lines = createInterface({ input: child.stdout })
  const firstMatch = (pattern: RegExp): Promise<string | null> =>
    new Promise((resolve) => {
      lines.on('line', (line) => {
        const url = pattern.exec(line)?.[1]
        if (url !== undefined) resolve(url)
      })
      lines.on('close', () => resolve(null))
    })
  const apiUrl = firstMatch(/^ {2}HTTP interface +(\S+)$/)
  const gatewayUrl = firstMatch(/^ {2}Gateway +(\S+)$/)
  const began = new Promise<number | null>((resolve) => {
    lines.on('line', (line) => {
      const start = /^ {2}Height +(\d+)$/.exec(line)?.[1]
      const closed = /^macroblock (\d+) closed/.exec(line)?.[1]
      if (start !== undefined) resolve(Number(start))
      reported = Math.max(reported, Number(start ?? -1), Number(closed ?? -2) + 1)
    })
    lines.on('close', () => resolve(null))
  })
  const accounts = new Promise<string | null>((resolve) => {
    const listed: string[] = []
    lines.on('line', (line) => {
      if (line === 'Tokens') resolve(listed.join('\n'))
      listed.push(line)
    })
    lines.on('close', () => resolve(null))
  })
  // `close` comes after the last line was read, `exit` may come before it.
  const ended = once(child, 'close').then(([code, signal]) => (code ?? signal) as number | string)
  return { child, began, apiUrl, gatewayUrl, accounts, reported: () => reported, errors: () => errors, ended }
}
