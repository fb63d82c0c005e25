import { existsSync } from 'node:fs'
import { type Client, createClient, networks } from '@hailstone/client'
import { isConnectionLoss, keptPlaceOf, placeFlags } from '@hailstone/database'
import { isNodeError, isTokenId, NodeError, plainText, type TokenId } from '@hailstone/protocol'
import {
  announceProcess,
  CommandLineError,
  outliveTerminal,
  readCommandLine,
  systemFaultOf,
} from '@hailstone/runtime/node'
import { checkIndex, type Difference } from './check-index.ts'
import type { Progress } from './follow-chain.ts'
import { createIndexerHealth } from './indexer-health.ts'
import { isOfDatabase } from './judge-failure.ts'
import { type CatchUpParameters, openCatchUp } from './open-catch-up.ts'
import { closeSoonAfter, type Index, type IndexPlace, openIndex } from './open-index.ts'
import { openWaiting, storeLossText } from './open-waiting.ts'
import { packageVersion } from './package-version.ts'
import { rebuildIndex } from './rebuild-index.ts'
import { runIndexer } from './run-indexer.ts'

const HELP = `hailstone-indexer – keeps a partner's figures of a token as rows in SQL

  hailstone-indexer --api URL --token ID    index a token, from its creation to the newest block, and follow
  hailstone-indexer rebuild …               the same into new tables, which replace the old ones when they have caught up
  hailstone-indexer check …                 compares each balance, each reward and the figures of an index with the API

  --api URL            API of a network, or a name: pulse, bit, local  [http://127.0.0.1:4410/api/v1]
  --token ID           token to index, 64 hex digits; can be given again
  --data DIR           where the index is kept                         [.hailstone/index]
  --database URL       keep it on a PostgreSQL server instead, postgres://…
  --database-file FILE the same, with the URL read from a file or from HAILSTONE_DATABASE: arguments can be
                       read by everybody on this machine
  --schema NAME        schema of the tables on a server                [hailstone_index]
  --poll MS            time between two looks at the API               [2000]
  --once               end when the newest block is reached
  --health-port PORT   serve /livez, /readyz, /health, /status and /metrics on 127.0.0.1; 0 takes any port
  --sample N           accounts that check compares, drawn at random   [all]
  --help               this text
  --version            print the version`

const flags = {
  api: { type: 'string', default: 'http://127.0.0.1:4410/api/v1' },
  token: { type: 'string', multiple: true, default: [] as string[] },
  ...placeFlags,
  schema: { type: 'string' },
  poll: { type: 'string', default: '2000' },
  once: { type: 'boolean', default: false },
  'health-port': { type: 'string' },
  sample: { type: 'string' },
  help: { type: 'boolean', short: 'h', default: false },
  version: { type: 'boolean', short: 'V', default: false },
} as const

const WRONG_USAGE = 2

const say = (text: string): void => void process.stdout.write(`${plainText(text)}\n`)
const complain = (text: string): void => void process.stderr.write(`${plainText(text)}\n`)

const refused = (path: string, expected: string, found: string): NodeError =>
  new NodeError('CONFIGURATION_INVALID', { path, expected, found })

function tokenIdsOf(texts: readonly string[]): readonly TokenId[] {
  if (texts.length === 0) throw refused('--token', 'the id of at least one token', 'none')
  return texts.map((text) => {
    if (!isTokenId(text)) throw refused('--token', '64 hex digits in lower case', `"${text}"`)
    return text
  })
}

type Numbers = { readonly pattern: RegExp; readonly most?: number; readonly expected: string }

/** Whole numbers that options take. */
const numbers = {
  '--poll': { pattern: /^[1-9]\d{1,5}$/, expected: 'milliseconds from 10 to 999999' },
  '--sample': { pattern: /^[1-9]\d{0,6}$/, expected: 'accounts from 1 to 9999999' },
  '--health-port': { pattern: /^\d{1,5}$/, most: 65_535, expected: 'a port from 0 to 65535' },
} satisfies Readonly<Record<string, Numbers>>

function numberOf(option: keyof typeof numbers, text: string): number {
  const { pattern, most = Number.POSITIVE_INFINITY, expected }: Numbers = numbers[option]
  if (pattern.test(text) && Number(text) <= most) return Number(text)
  throw refused(option, expected, `"${text}"`)
}

const FOLDER = '.hailstone/index'

type Options = ReturnType<typeof readCommandLine<{ options: typeof flags }>>['values']
type Verb = 'follow' | 'check' | 'rebuild'

/** Refuses an option that would be ignored. @throws {CommandLineError} that says beside which words it means something */
function assertUsed({ sample, once, ...values }: Options, verb: Verb): void {
  if (sample !== undefined && verb !== 'check')
    throw new CommandLineError('--sample belongs to hailstone-indexer check. Leave it out.')
  if (values['health-port'] !== undefined && (verb !== 'follow' || once))
    throw new CommandLineError('--health-port belongs to an indexer that goes on. Leave it out.')
  if (once && verb !== 'follow')
    throw new CommandLineError(`--once says nothing to ${verb}, which ends by itself. Leave it out.`)
}

/**
 * Returns where the index is kept.
 *
 * @throws {CommandLineError} for two places, or a schema without a server, and {NodeError} `CONFIGURATION_INVALID` for an address that
 *   cannot be read
 */
function placeOf({ schema, ...values }: Options): IndexPlace {
  const { folder, database, warnings } = keptPlaceOf(values, process.env)
  for (const warning of warnings) complain(warning)
  if (database !== undefined) return { database, schema }
  if (schema !== undefined)
    throw new CommandLineError(
      '--schema names a schema on a server, and a folder has none: name the server with --database-file or --database, or leave --schema out.',
    )
  return { folder: folder ?? FOLDER }
}

/** Time, in ms, after a signal until the process is ended. A database that does not answer would keep it while an index is opened. */
const LEAVING_MS = 4000

/** Ends a run at the first signal, and the process with this code if that takes too long; a second one ends it at once. */
function interruption(code: number): AbortController {
  const stopping = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => {
      process.once(signal, () => process.exit(1))
      setTimeout(() => process.exit(code), LEAVING_MS).unref()
      stopping.abort()
    })
  }
  return stopping
}

function describe({ status, note, height, undone }: Progress): string {
  const went = undone > 0 ? `; ${undone} blocks were undone` : ''
  const place = height < 0 ? 'before the first block' : `at height ${height}`
  return `${status} ${place}${went}${note === null ? '' : `: ${note}`}`
}

type CheckParameters = CatchUpParameters & { readonly sample: number | undefined }

const describeDifference = ({ subject, address, tokenId, expected, found }: Difference): string =>
  `${subject}${address === null ? '' : ` ${address}`} in ${tokenId}: ${found ?? 'no row'}, should be ${expected ?? 'no row'}`

/** Prints what differs, and returns the exit code. */
async function check(parameters: CheckParameters): Promise<number> {
  const { index, client, sample, signal } = parameters
  await using catchUp = await openCatchUp(parameters)
  const report = await checkIndex({ index, client, sample, signal, catchUp: catchUp.step })
  const { height, accounts, rewards, differences, isStill } = report
  for (const difference of differences) say(describeDifference(difference))
  say(
    `height ${height}: ${accounts} accounts and ${rewards} rewards compared, ${differences.length} differences`,
  )
  if (!isStill && differences.length > 0)
    say('The chain moved all the time, so these may be changes that one side had first. Check again.')
  return differences.length === 0 ? 0 : 1
}

async function run(words: readonly string[]): Promise<number> {
  const verb: Verb = words[0] === 'rebuild' || words[0] === 'check' ? words[0] : 'follow'
  const { values } = readCommandLine({ args: words.slice(verb === 'follow' ? 0 : 1), options: flags })
  if (values.help) {
    process.stdout.write(`${HELP}\n`)
    return 0
  }
  if (values.version) {
    say(`hailstone-indexer ${packageVersion()}, node ${process.version}`)
    return 0
  }
  const tokenIds = tokenIdsOf(values.token)
  const pollMs = numberOf('--poll', values.poll)
  assertUsed(values, verb)
  const place = placeOf(values)
  const network = Object.hasOwn(networks, values.api)
    ? networks[values.api as keyof typeof networks]
    : undefined
  await using client = createClient(network === undefined ? { apiUrl: values.api } : { network })
  const { once } = values
  const port = values['health-port']
  const healthPort = port === undefined ? undefined : numberOf('--health-port', port)
  const interrupted = verb === 'follow' ? 0 : 1
  const stopping = interruption(interrupted)
  const { signal } = stopping
  const sample = values.sample === undefined ? undefined : numberOf('--sample', values.sample)
  const asked = { place, client, tokenIds, pollMs, stopping }
  const work = {
    follow: () => follow({ ...asked, once, healthPort }),
    check: () => checkPlace(asked, sample),
    rebuild: () => rebuild(asked),
  }
  return await work[verb]().catch((error: unknown) => {
    // An interrupted run fails at whatever it waited for, which is no news.
    if (!signal.aborted) throw error
    return interrupted
  })
}

type Asked = {
  readonly place: IndexPlace
  readonly client: Client
  readonly tokenIds: readonly TokenId[]
  readonly pollMs: number
  readonly stopping: AbortController
}

async function rebuild({ stopping: { signal }, ...asked }: Asked): Promise<number> {
  const onWait = (reason: string): void =>
    complain(`${reason} It is tried again; the index that is there stays.`)
  say(`rebuilt up to height ${await rebuildIndex({ ...asked, signal, onWait })}`)
  return 0
}

async function checkPlace(
  { place, stopping: { signal }, ...asked }: Asked,
  sample: number | undefined,
): Promise<number> {
  // Opening a folder that does not exist makes an index there, which would be filled and found without differences.
  if (place.folder !== undefined && !existsSync(place.folder))
    throw new CommandLineError(`There is no index in ${place.folder}. Name the folder with --data DIR.`)
  await using index = await openIndex(place)
  closeSoonAfter(signal, index)
  return await check({ ...asked, index, sample, signal })
}

/** Follows the chain until a signal, or with `once` until the newest block is reached. */
async function follow({
  once,
  healthPort,
  ...asked
}: Asked & { readonly once: boolean; readonly healthPort: number | undefined }): Promise<number> {
  const { place, pollMs, stopping, client, tokenIds } = asked
  const { signal } = stopping
  const health = createIndexerHealth({ pollMs, nowMs: client.clock.monotonicMs })
  await using server = healthPort === undefined ? null : await health.serve(healthPort)
  if (server !== null) say(`health at http://127.0.0.1:${server.port}/health`)
  const healthUrl = server === null ? undefined : `http://127.0.0.1:${server.port}/status`
  await using announced = once ? null : await announceProcess({ program: 'indexer', healthUrl })
  if (announced !== null && announced.trouble !== null) complain(announced.trouble)
  let last = ''
  let loss = ''
  const onProgress = (progress: Progress): void => {
    const text = describe(progress)
    if (text !== last) say(text)
    last = text
    loss = ''
    health.note({ type: 'looked', progress })
    if (once && progress.status === 'current') stopping.abort()
  }
  const onStoreLost = (error: unknown): void => {
    const text = storeLossText(error)
    health.note({ type: 'storeLost', why: text })
    if (text !== loss) complain(`${text} It is asked again every ${pollMs} ms.`)
    loss = text
    last = ''
  }
  const open = (): Promise<Index> => openIndex(place)
  await using index = await (once
    ? open()
    : openWaiting(open, { clock: client.clock, pollMs, onStoreLost, signal }))
  closeSoonAfter(signal, index)
  const onCommit = (height: number): void => health.note({ type: 'stored', height })
  await runIndexer({ index, client, tokenIds, pollMs, onProgress, onStoreLost, onCommit, signal })
  return 0
}

const optionOf: ReadonlyMap<string, string> = new Map([
  ['tokenIds', '--token'],
  ['schema', '--schema'],
])

/**
 * Returns a failure as a sentence for who typed the command: one about an option, a file, the database or the API. Null if
 * it is a fault of the program.
 */
export function inWordsOfCommand(error: unknown): Error | null {
  if (isNodeError(error, 'CONFIGURATION_INVALID')) {
    const { path, expected, found } = error.facts
    const option = optionOf.get(path)
    return option === undefined ? error : refused(option, expected, found)
  }
  const fault = systemFaultOf(error)
  if (fault !== null) return new Error(`${fault} Make room, or choose another folder with --data DIR.`)
  const isLoss = isConnectionLoss(isNodeError(error, 'STORE_UNREACHABLE') ? error.cause : error)
  if (isLoss || (!isNodeError(error) && isOfDatabase(error))) return new Error(storeLossText(error))
  return isNodeError(error) || error instanceof CommandLineError ? error : null
}

/**
 * Runs the command `hailstone-indexer` in this process and resolves with its exit code. A failure is one sentence on the
 * standard error stream.
 *
 * @param words what follows the name of the command
 */
export async function runCommand(words: readonly string[]): Promise<number> {
  outliveTerminal()
  try {
    return await run(words)
  } catch (cause) {
    const error = inWordsOfCommand(cause)
    if (error === null) throw cause
    complain(error.message)
    if (error instanceof CommandLineError || isNodeError(error, 'CONFIGURATION_INVALID')) {
      complain('hailstone-indexer --help tells more.')
      return WRONG_USAGE
    }
    return 1
  }
}
