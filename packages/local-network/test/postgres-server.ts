import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { existsSync, readdirSync } from 'node:fs'
import { chown, mkdtemp, readFile, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { promisify } from 'node:util'
import pg from 'pg'

const run = promisify(execFile)

/** Debian keeps the programs of each version in a folder of its own; others have them on the path. */
function findPrograms(): string | null {
  const debian = '/usr/lib/postgresql'
  const versions = existsSync(debian) ? readdirSync(debian).sort((a, b) => Number(b) - Number(a)) : []
  const folders = [
    ...versions.map((version) => join(debian, version, 'bin')),
    ...(process.env.PATH ?? '').split(delimiter),
  ]
  return (
    folders.find((folder) => ['initdb', 'postgres'].every((name) => existsSync(join(folder, name)))) ?? null
  )
}

/** The folder of the programs of PostgreSQL; null where they are not installed. */
export const postgresPrograms: string | null = findPrograms()

/** Null when a server can be started here, else why not. */
export const postgresMissing: string | null =
  postgresPrograms === null ? 'no PostgreSQL server is installed: apt-get install postgresql' : null

export type PostgresServer = {
  /** Port of loopback. */
  readonly port: number
  /** The address of a new, empty database. */
  readonly createDatabase: () => Promise<string>
  /** The address of a new, empty database whose files are in a folder that is there, on another disk perhaps. */
  readonly createDatabaseIn: (folder: string) => Promise<string>
  /** Cuts every connection and ends the server as a crash would; `start` brings it back. */
  readonly crash: () => Promise<void>
  readonly start: () => Promise<void>
  /** Of the process that starts all others. */
  readonly processId: () => number | undefined
  /** Stops the server and all its processes where they are: connections stay open and nothing answers. */
  readonly freeze: () => Promise<void>
  /** Lets a frozen server go on. */
  readonly thaw: () => Promise<void>
  /** Starts a copy that follows this server from now on and refuses to write. */
  readonly startStandby: () => Promise<PostgresServer>
  /** Makes a standby a server of its own, which writes. */
  readonly promote: () => Promise<void>
  /** Ends it and removes its folder. */
  readonly stop: () => Promise<void>
}

/** PostgreSQL refuses to run as root; everybody else runs it as themselves. */
async function unprivileged(): Promise<{ uid?: number; gid?: number }> {
  if (process.getuid?.() !== 0) return {}
  const users = (await readFile('/etc/passwd', 'utf8')).split('\n').map((line) => line.split(':'))
  const user = users.find(([name]) => name === 'postgres') ?? users.find(([name]) => name === 'nobody')
  if (user === undefined) throw new Error('PostgreSQL needs a user other than root, such as nobody')
  return { uid: Number(user[2]), gid: Number(user[3]) }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as { port: number }
  server.close()
  await once(server, 'close')
  return port
}

/** Asks a database over a connection of its own, and returns the rows. */
export async function queryDatabase(url: string, text: string): Promise<readonly Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return (await client.query(text)).rows
  } finally {
    await client.end()
  }
}

async function answers(url: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: url })
  client.on('error', () => {})
  try {
    await client.connect()
    await client.query('select 1')
    return true
  } catch {
    return false
  } finally {
    await client.end().catch(() => {})
  }
}

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

/** A PostgreSQL of the test's own: a temporary folder, a free port of loopback, nobody else's data. */
export const startPostgres = (): Promise<PostgresServer> =>
  startServer((data, command) =>
    command('initdb', ['-D', data, '-U', 'hailstone', '-A', 'trust', '-E', 'UTF8', '-N']),
  )

/** A primary with a new, empty database, and a standby that follows it without holding up its commits. */
export type PostgresPair = {
  readonly primary: PostgresServer
  readonly standby: PostgresServer
  /** The address of the database at the primary. */
  readonly database: string
  /** The address of the same database at the standby. */
  readonly readDatabase: string
  readonly stop: () => Promise<void>
}

export async function startPostgresPair(): Promise<PostgresPair> {
  const primary = await startPostgres()
  try {
    const database = await primary.createDatabase()
    const standby = await primary.startStandby()
    const readDatabase = database.replace(`:${primary.port}/`, `:${standby.port}/`)
    const stop = async (): Promise<void> => {
      await standby.stop()
      await primary.stop()
    }
    return { primary, standby, database, readDatabase, stop }
  } catch (error) {
    await primary.stop()
    throw error
  }
}

type Command = (name: string, flags: readonly string[]) => Promise<unknown>

/** @param create fills the folder of a server */
async function startServer(
  create: (data: string, command: Command) => Promise<unknown>,
): Promise<PostgresServer> {
  if (postgresPrograms === null) throw new Error(String(postgresMissing))
  const user = await unprivileged()
  const folder = await mkdtemp(join(tmpdir(), 'hailstone-postgres-'))
  if (user.uid !== undefined && user.gid !== undefined) await chown(folder, user.uid, user.gid)
  const data = join(folder, 'data')
  const options = { ...user, cwd: folder, env: { PATH: process.env.PATH ?? '', LC_ALL: 'C' } }
  await create(data, (name, flags) => run(join(postgresPrograms, name), [...flags], options))
  const port = await freePort()
  const urlOf = (name: string): string => `postgres://hailstone@127.0.0.1:${port}/${name}`
  let server: ChildProcess | undefined
  async function start(): Promise<void> {
    const settings = { listen_addresses: '127.0.0.1', unix_socket_directories: folder, fsync: 'off' }
    const flags = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
    const child = spawn(
      join(String(postgresPrograms), 'postgres'),
      ['-D', data, '-p', String(port), ...flags],
      {
        ...options,
        stdio: 'ignore',
      },
    )
    server = child
    const end = () => child.kill('SIGQUIT')
    process.once('exit', end)
    child.once('exit', () => process.removeListener('exit', end))
    while (child.exitCode === null && !(await answers(urlOf('postgres')))) await pause(50)
    if (child.exitCode !== null) throw new Error(`PostgreSQL ended with ${child.exitCode}`)
  }
  /** Sends a signal to the server and to each process that it started. */
  async function signal(name: NodeJS.Signals): Promise<void> {
    const { stdout } = await run('ps', ['-o', 'pid=', '--ppid', String(server?.pid)]).catch(() => ({
      stdout: '',
    }))
    for (const id of [String(server?.pid), ...stdout.trim().split(/\s+/)]) {
      try {
        if (id !== '') process.kill(Number(id), name)
      } catch (error) {
        // A process of one connection may have ended since it was listed.
        if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
      }
    }
  }
  let isFrozen = false
  async function freeze(): Promise<void> {
    isFrozen = true
    await signal('SIGSTOP')
  }
  async function thaw(): Promise<void> {
    isFrozen = false
    await signal('SIGCONT')
  }
  /** SIGQUIT is an immediate shutdown: no checkpoint, no goodbye. */
  async function crash(): Promise<void> {
    if (server === undefined || server.exitCode !== null) return
    const ended = once(server, 'exit')
    server.kill('SIGQUIT')
    if (isFrozen) await signal('SIGCONT')
    await ended
  }
  const query = async (name: string, text: string): Promise<void> => {
    await queryDatabase(urlOf(name), text)
  }
  const newName = (): string => `test_${randomBytes(6).toString('hex')}`
  await start()
  return {
    port,
    async createDatabase() {
      const name = newName()
      await query('postgres', `create database ${name}`)
      return urlOf(name)
    },
    async createDatabaseIn(place) {
      const name = newName()
      if (user.uid !== undefined && user.gid !== undefined) await chown(place, user.uid, user.gid)
      await query('postgres', `create tablespace ${name} location '${place}'`)
      await query('postgres', `create database ${name} tablespace ${name}`)
      return urlOf(name)
    },
    crash,
    start,
    processId: () => server?.pid,
    freeze,
    thaw,
    startStandby: () =>
      startServer((place, command) =>
        command('pg_basebackup', ['-D', place, '-d', urlOf('postgres'), '-R', '-X', 'stream', '-c', 'fast']),
      ),
    promote: () => query('postgres', 'select pg_promote()'),
    async stop() {
      await crash()
      await rm(folder, { recursive: true, force: true })
    },
  }
}
