import { readFileSync } from 'node:fs'
import { createClient, networks } from '@hailstone/client'
import { postgresAddress } from '@hailstone/database'
import { isNodeError, isTokenId, NodeError, plainText, type TokenId } from '@hailstone/protocol'
import { CommandLineError, readCommandLine, systemFaultOf } from '@hailstone/runtime/node'
import type { Progress } from './follow-chain.ts'
import { openIndex } from './open-index.ts'
import { rebuildIndex } from './rebuild-index.ts'
import { runIndexer } from './run-indexer.ts'

const HELP = `hailstone-indexer – keeps a partner's figures of a token as rows in SQL

  hailstone-indexer --api URL --token ID    index a token, from its creation to the newest block, and follow
  hailstone-indexer rebuild …               the same into new tables, which replace the old ones when they have caught up

  --api URL            API of a network, or a name: pulse, bit         [http://127.0.0.1:4410/api/v1]
  --token ID           token to index, 64 hex digits; can be given again
  --data DIR           where the index is kept                         [.hailstone/index]
  --database URL       keep it on a PostgreSQL server instead, postgres://…
  --database-file FILE the same, with the URL read from a file or from HAILSTONE_DATABASE: arguments can be
                       read by everybody on this machine
  --schema NAME        schema of the tables on a server                [hailstone_index]
  --poll MS            time between two looks at the API               [2000]
  --once               end when the newest block is reached
  --help               this text`

const flags = {
  api: { type: 'string', default: 'http://127.0.0.1:4410/api/v1' },
  token: { type: 'string', multiple: true, default: [] as string[] },
  data: { type: 'string', default: '.hailstone/index' },
  database: { type: 'string' },
  'database-file': { type: 'string' },
  schema: { type: 'string' },
  poll: { type: 'string', default: '2000' },
  once: { type: 'boolean', default: false },
  help: { type: 'boolean', short: 'h', default: false },
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

function pollMsOf(text: string): number {
  if (!/^[1-9]\d{1,5}$/.test(text)) throw refused('--poll', 'milliseconds from 10 to 999999', `"${text}"`)
  return Number.parseInt(text, 10)
}

/** The address of the database from wherever it was given; the password must not stand among the arguments. */
function databaseOf(values: {
  readonly database?: string
  readonly 'database-file'?: string
}): string | undefined {
  const file = values['database-file']
  const text = file === undefined ? values.database : readFileSync(file, 'utf8').split(/\r?\n/, 1)[0]?.trim()
  const url = text ?? process.env.HAILSTONE_DATABASE
  if (url === undefined || url === '') return undefined
  postgresAddress(url)
  return url
}

/** Ends a run at the first signal; a second one ends the process the hard way. */
function interruption(): AbortController {
  const stopping = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => {
      process.once(signal, () => process.exit(1))
      stopping.abort()
    })
  }
  return stopping
}

function describe({ status, note, height, undone }: Progress): string {
  const went = undone > 0 ? `; ${undone} blocks were undone` : ''
  return `${status} at height ${height}${went}${note === null ? '' : `: ${note}`}`
}

async function run(words: readonly string[]): Promise<void> {
  const isRebuild = words[0] === 'rebuild'
  const { values } = readCommandLine({ args: words.slice(isRebuild ? 1 : 0), options: flags })
  if (values.help) return void process.stdout.write(`${HELP}\n`)
  const tokenIds = tokenIdsOf(values.token)
  const pollMs = pollMsOf(values.poll)
  const database = databaseOf(values)
  const network = Object.hasOwn(networks, values.api)
    ? networks[values.api as keyof typeof networks]
    : undefined
  await using client = createClient(network === undefined ? { apiUrl: values.api } : { network })
  const { schema } = values
  const place = database === undefined ? { folder: values.data } : { database, schema }
  const stopping = interruption()
  if (isRebuild) {
    const height = await rebuildIndex({ place, client, tokenIds, signal: stopping.signal })
    return say(`rebuilt up to height ${height}`)
  }
  await using index = await openIndex(place)
  let last = ''
  const onProgress = (progress: Progress): void => {
    const text = describe(progress)
    if (text !== last) say(text)
    last = text
    if (values.once && progress.status === 'current') stopping.abort()
  }
  await runIndexer({ index, client, tokenIds, pollMs, onProgress, signal: stopping.signal })
}

/**
 * Runs the command `hailstone-indexer` in this process and resolves with its exit code. A failure is one sentence on the
 * standard error stream.
 *
 * @param words what follows the name of the command
 */
export async function runCommand(words: readonly string[]): Promise<number> {
  try {
    await run(words)
    return 0
  } catch (error) {
    const fault = systemFaultOf(error)
    if (fault !== null) {
      complain(`${fault}. Make room, or choose another folder with --data DIR.`)
      return 1
    }
    if (!isNodeError(error) && !(error instanceof CommandLineError)) throw error
    complain(error.message)
    if (error instanceof CommandLineError || error.code === 'CONFIGURATION_INVALID') {
      complain('hailstone-indexer --help tells more.')
      return WRONG_USAGE
    }
    return 1
  }
}
