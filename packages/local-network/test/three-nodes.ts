import { type ChildProcess, execFile, execFileSync, spawn } from 'node:child_process'
import { randomBytes, randomInt } from 'node:crypto'
import { once } from 'node:events'
import { closeSync, existsSync, openSync, readFileSync } from 'node:fs'
import { chmod, chown, mkdir, mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import pg from 'pg'
import { postgresMissing, postgresPrograms } from './postgres-server.ts'
import { until } from './until.ts'

const run = promisify(execFile)
const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

/** The machines of the guide, whose files the nodes are started with. */
const GUIDE = new URL('../DATABASE.md', import.meta.url)
const SUBNET_OF_GUIDE = '10.0.0.'
const PASSWORD = 'three-nodes'
const PATH = `/usr/sbin:/usr/bin:/sbin:/bin:${process.env.PATH ?? ''}`
const env = { PATH, LC_ALL: 'C.UTF-8' }

const quietly = (name: string, ...flags: readonly string[]): string =>
  execFileSync(name, [...flags], { env, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] })

const newTag = (): string => `hs${randomBytes(3).toString('hex')}`

/** Returns why the programs cannot be used here, or null. */
function findMissingProgram(): string | null {
  if (postgresMissing !== null) return postgresMissing
  if (!existsSync('/usr/bin/patroni')) return 'no Patroni is installed: apt-get install patroni'
  try {
    if (!/etcd Version: 3\.[0-5]\./.test(quietly('etcd', '--version')))
      return 'this etcd has no interface v2, which those before 3.6 have'
  } catch {
    return 'no etcd is installed: apt-get install etcd-server'
  }
  const users = readFileSync('/etc/passwd', 'utf8')
  return /^postgres:/m.test(users) ? null : 'there is no user postgres'
}

function findObstacle(): string | null {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return 'network namespaces need root on Linux'
  const missing = findMissingProgram()
  if (missing !== null) return missing
  const tag = newTag()
  try {
    quietly('ip', 'netns', 'add', tag)
    try {
      quietly('ip', 'link', 'add', tag, 'type', 'bridge')
      quietly('ip', 'link', 'del', tag)
    } finally {
      quietly('ip', 'netns', 'del', tag)
    }
    return null
  } catch {
    return 'no network namespaces can be joined here'
  }
}

/** Null when three nodes can be started here, else why not. */
export const threeNodesMissing: string | null = findObstacle()

/** One of the three machines: a network namespace with etcd, Patroni and PostgreSQL. */
export type DatabaseNode = {
  readonly name: string
  /** Sends SIGKILL to Patroni and to every process of PostgreSQL. etcd goes on. */
  readonly kill: () => Promise<void>
  /** Starts Patroni again, which starts PostgreSQL. */
  readonly start: () => void
  /** Takes the link of the machine down, with everything on it left running. */
  readonly cut: () => Promise<void>
  readonly join: () => Promise<void>
  /** Stops every process of Patroni and PostgreSQL where it is. */
  readonly freeze: () => Promise<void>
  readonly thaw: () => Promise<void>
  readonly freezeEtcd: () => void
  readonly thawEtcd: () => void
  /** Runs a statement on this node's server over its Unix socket, which works while the link is cut. */
  readonly query: (database: string, text: string) => Promise<readonly Record<string, unknown>[]>
}

export type ThreeNodes = {
  readonly nodes: readonly DatabaseNode[]
  /** Time after which a primary that is gone is replaced, in seconds. */
  readonly ttl: number
  /** Creates an empty database. Returns its name, and its address with all three hosts. */
  readonly createDatabase: () => Promise<{ readonly name: string; readonly url: string }>
  /** Returns the node that holds the lock of the primary and takes writes, or undefined. */
  readonly primary: () => Promise<DatabaseNode | undefined>
  /** Waits until one node leads, one is its synchronous standby and the third follows. Returns the first. */
  readonly whole: () => Promise<DatabaseNode>
  /** Lets commits wait for a standby, as they do at first, or for none. */
  readonly setSynchronous: (isSynchronous: boolean) => Promise<void>
  /** Returns the newest lines that Patroni and PostgreSQL of each node have written. */
  readonly logs: () => string
  /** Ends every process, and removes namespaces, links and the folder. */
  readonly stop: () => Promise<void>
}

/**
 * Ends everything with the name of its first argument when its input ends: so also when the test is killed. The
 * processes of a namespace are those that were started in it.
 */
const GUARD = `
cat > /dev/null
for number in 1 2 3; do
  for round in 1 2 3 4 5 6 7 8 9 10; do
    ids=$(ip netns pids $1n$number) && [ -n "$ids" ] || break
    kill -9 $ids
    sleep 0.2
  done
  ip link del $1v$number
  ip netns del $1n$number
done
ip link del $1br
rm -rf "$2"
`

/** Returns the start of a network of 254 addresses that this machine has no route to. */
function freeSubnet(): string {
  const routes = quietly('ip', '-4', 'route', 'show') + quietly('ip', '-4', '-o', 'address')
  for (;;) {
    const subnet = `10.${randomInt(64, 192)}.${randomInt(1, 255)}.`
    if (!routes.includes(` ${subnet}`) && !routes.includes(`\n${subnet}`)) return subnet
  }
}

/** Returns the text that the guide writes into a file with a command that contains the words. */
function fileOfGuide(words: string): string {
  const blocks = [...readFileSync(GUIDE, 'utf8').matchAll(/^(.*) <<END\n([\s\S]*?)^END$/gm)]
  const found = blocks.find(([, command = '']) => command.includes(words))
  if (found === undefined) throw new Error(`DATABASE.md writes no file with ${words}`)
  return found[2] ?? ''
}

type Times = { readonly ttl: number; readonly loopWait: number; readonly retryTimeout: number }

/** Returns settings with other values, each of which has to be there. */
function replaceSettings(text: string, values: Readonly<Record<string, string | number>>): string {
  return Object.entries(values).reduce((settings, [name, value]) => {
    const line = new RegExp(`^( *${name}:) .*$`, 'm')
    if (!line.test(settings)) throw new Error(`the guide has no ${name}`)
    return settings.replace(line, `$1 ${value}`)
  }, text)
}

type Place = { readonly tag: string; readonly folder: string; readonly subnet: string }

async function createNetwork({ tag, subnet }: Place): Promise<void> {
  const ip = (command: string) => run('ip', command.split(' '), { env })
  await ip(`link add ${tag}br type bridge`)
  await ip(`address add ${subnet}254/24 dev ${tag}br`)
  await ip(`link set ${tag}br up`)
  for (const number of [1, 2, 3]) {
    await ip(`netns add ${tag}n${number}`)
    await ip(`link add ${tag}v${number} type veth peer name eth0 netns ${tag}n${number}`)
    await ip(`link set ${tag}v${number} master ${tag}br up`)
    await ip(`-n ${tag}n${number} address add ${subnet}${number}/24 dev eth0`)
    await ip(`-n ${tag}n${number} link set eth0 up`)
    await ip(`-n ${tag}n${number} link set lo up`)
  }
}

/** Starts etcd and Patroni of one machine, with the files that the guide has for it. */
async function startNode(
  { tag, folder, subnet }: Place,
  number: number,
  times: Times,
): Promise<DatabaseNode> {
  const namespace = `${tag}n${number}`
  const own = join(folder, `n${number}`)
  const [, uid, gid] = /^postgres:[^:]*:(\d+):(\d+):/m.exec(readFileSync('/etc/passwd', 'utf8')) ?? []
  await mkdir(own)
  await chown(own, Number(uid), Number(gid))
  const ofNode = (text: string): string =>
    text
      .replaceAll('$NODE', String(number))
      .replaceAll('$PASSWORD', PASSWORD)
      .replaceAll(SUBNET_OF_GUIDE, subnet)
  const settings = replaceSettings(ofNode(fileOfGuide('/etc/patroni/config.yml')), {
    ttl: times.ttl,
    loop_wait: times.loopWait,
    retry_timeout: times.retryTimeout,
    bin_dir: String(postgresPrograms),
    data_dir: join(own, 'data'),
    pgpass: join(own, 'pgpass'),
    unix_socket_directories: own,
  })
  const file = join(own, 'patroni.yml')
  // A device that restarts the machine of the test is not for its nodes.
  await writeFile(file, `${settings}watchdog: {mode: 'off'}\n`)
  const etcdSettings = Object.fromEntries(
    [...ofNode(fileOfGuide('/etc/default/etcd')).matchAll(/^(\w+)=(.*)$/gm)].map(([, name, value]) => [
      name,
      value,
    ]),
  )
  const launch = (name: string, flags: readonly string[], more = {}): ChildProcess => {
    const log = openSync(join(own, `${name}.log`), 'a')
    const user = ['setpriv', '--reuid', 'postgres', '--regid', 'postgres', '--init-groups']
    const child = spawn('ip', ['netns', 'exec', namespace, ...user, name, ...flags], {
      cwd: own,
      env: { ...env, PATH: `${PATH}:${postgresPrograms}`, HOME: own, ...more },
      stdio: ['ignore', log, log],
    })
    closeSync(log)
    return child
  }
  const etcd = launch('etcd', [], { ...etcdSettings, ETCD_DATA_DIR: join(own, 'etcd') })
  const start = (): void => void launch('patroni', [file])
  start()

  /** Processes of the namespace besides etcd. */
  async function processIds(): Promise<readonly number[]> {
    const { stdout } = await run('ip', ['netns', 'pids', namespace], { env })
    return stdout
      .split('\n')
      .map(Number)
      .filter((id) => id > 0 && id !== etcd.pid)
  }
  async function signal(name: NodeJS.Signals): Promise<number> {
    const ids = await processIds()
    for (const id of ids) {
      try {
        process.kill(id, name)
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
      }
    }
    return ids.length
  }
  const setLink = (state: string) => run('ip', ['link', 'set', `${tag}v${number}`, state], { env })
  return {
    name: `n${number}`,
    start,
    kill: () => until(async () => (await signal('SIGKILL')) === 0),
    cut: async () => void (await setLink('down')),
    join: async () => void (await setLink('up')),
    async freeze() {
      // The second time for what was started during the first.
      for (const _ of [1, 2]) await signal('SIGSTOP')
    },
    thaw: async () => void (await signal('SIGCONT')),
    freezeEtcd: () => void etcd.kill('SIGSTOP'),
    thawEtcd: () => void etcd.kill('SIGCONT'),
    async query(database, text) {
      const client = new pg.Client({
        ...{ host: own, port: 5432, user: 'postgres', password: PASSWORD, database },
        connectionTimeoutMillis: 2000,
        query_timeout: 5000,
      })
      client.on('error', () => {})
      try {
        await client.connect()
        return (await client.query(text)).rows
      } finally {
        // A server that is frozen does not answer a goodbye either.
        void client.end().catch(() => {})
      }
    },
  }
}

type Member = { readonly name: string; readonly role: string; readonly state: string }

/** True if every member runs, one leads, and as many as wanted are standbys that every commit waits for. */
const isComplete = (members: readonly Member[], synchronous: number): boolean => {
  const count = (wanted: string) => members.filter(({ role }) => role === wanted).length
  const isUp = members.every(({ state }) => ['running', 'streaming'].includes(state))
  return isUp && members.length === 3 && count('leader') === 1 && count('sync_standby') === synchronous
}

/** Numbers of standbys as the primary itself has them. */
const STANDBYS = `
  select count(*) filter (where state = 'streaming')::int as streaming,
         count(*) filter (where sync_state in ('sync', 'quorum'))::int as synchronous
    from pg_stat_replication where application_name like 'n_'`

/**
 * Starts three nodes as the guide in DATABASE.md has them, each in a network namespace of its own, and waits until they
 * are whole. Names, addresses and the folder are those of this run.
 *
 * @param times replace those of the guide, which wait longer
 */
export async function startThreeNodes(times: Times): Promise<ThreeNodes> {
  const folder = await mkdtemp(join(tmpdir(), 'hailstone-three-nodes-'))
  await chmod(folder, 0o755)
  const place: Place = { tag: newTag(), folder, subnet: freeSubnet() }
  const guard = spawn('sh', ['-c', GUARD, 'guard', place.tag, folder], {
    env,
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  })
  const guardEnded = once(guard, 'exit')
  async function stop(): Promise<void> {
    guard.stdin.end()
    await guardEnded
  }

  const nodes: DatabaseNode[] = []
  /** Number of standbys that commits wait for. */
  let synchronous = 1
  const ask = (number: number, path: string, options: RequestInit = {}) =>
    fetch(`http://${place.subnet}${number}:8008${path}`, { signal: AbortSignal.timeout(2000), ...options })

  async function primary(): Promise<DatabaseNode | undefined> {
    for (const [at, node] of nodes.entries()) {
      const isPrimary = await ask(at + 1, '/primary').then(
        ({ ok }) => ok,
        () => false,
      )
      if (isPrimary) return node
    }
    return undefined
  }

  async function isWhole(node: DatabaseNode | undefined): Promise<boolean> {
    if (node === undefined) return false
    try {
      const answer = await ask(nodes.indexOf(node) + 1, '/cluster')
      const { members } = (await answer.json()) as { readonly members: readonly Member[] }
      if (!isComplete(members, synchronous)) return false
      const [counts] = await node.query('postgres', STANDBYS)
      return counts?.streaming === 2 && counts.synchronous === synchronous
    } catch {
      // It does not answer at the moment.
      return false
    }
  }

  async function whole(): Promise<DatabaseNode> {
    let found: DatabaseNode | undefined
    await until(async () => {
      found = await primary()
      if (await isWhole(found)) return true
      await pause(200)
      return false
    })
    if (found === undefined) throw new Error('there is no primary')
    return found
  }

  try {
    await createNetwork(place)
    for (const number of [1, 2, 3]) nodes.push(await startNode(place, number, times))
    await whole()
  } catch (error) {
    await stop()
    throw error
  }
  return {
    nodes,
    ttl: times.ttl,
    primary,
    whole,
    stop,
    logs: () =>
      nodes
        .map(({ name }) => {
          const lines = readFileSync(join(folder, name, 'patroni.log'), 'utf8').split('\n')
          return [`${name}:`, ...lines.slice(-40)].join('\n')
        })
        .join('\n'),
    async createDatabase() {
      const name = `test_${randomBytes(6).toString('hex')}`
      await (await whole()).query('postgres', `create database ${name}`)
      // A standby that does not have it yet says that it does not exist, which a process takes for a mistake.
      await until(async () => {
        const selects = nodes.map((node) => node.query(name, 'select'))
        return (await Promise.allSettled(selects)).every(({ status }) => status === 'fulfilled')
      })
      const hosts = [1, 2, 3].map((number) => `${place.subnet}${number}`).join(',')
      const user = `postgres:${PASSWORD}`
      return { name, url: `postgres://${user}@${hosts}/${name}?target_session_attrs=read-write` }
    },
    async setSynchronous(isSynchronous) {
      const settings = { synchronous_mode: isSynchronous, synchronous_mode_strict: isSynchronous }
      const answer = await ask(nodes.indexOf(await whole()) + 1, '/config', {
        method: 'PATCH',
        body: JSON.stringify(settings),
      })
      if (!answer.ok) throw new Error(`Patroni answered ${answer.status}`)
      synchronous = isSynchronous ? 1 : 0
      await whole()
    },
  }
}
