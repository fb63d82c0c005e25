import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { sql } from 'kysely'
import { startLocalNetwork } from '../src/serve.ts'
import { openChainFolder, openChainServer } from '../src/store/chain-database.ts'
import type { ChainPlace } from '../src/store/open-chain-store.ts'
import { postgresMissing, startPostgres } from '../test/postgres-server.ts'
import { fillChain, SEED } from './fill-chain.ts'
import type { ChainSize } from './synthetic-history.ts'

export type ChainStart = {
  readonly engine: 'embedded' | 'PostgreSQL'
  readonly blocks: number
  readonly transactions: number
  /** Of all tables together. */
  readonly rows: number
  readonly bytes: number
  /** From the call to the network that answers, once for each start, in milliseconds. */
  readonly startMs: readonly number[]
}

const TABLES = [
  'key_block',
  'microblock',
  'stat_block',
  'block_transaction',
  'account_record',
  'record_count',
  'balance',
]

async function sizeOf({ folder, database }: ChainPlace): Promise<{ rows: number; bytes: number }> {
  const { queries, close } =
    database === undefined ? await openChainFolder({ folder }) : await openChainServer(database)
  try {
    const counts = TABLES.map((table) => `(select count(*) from ${table})`).join(' + ')
    const size = TABLES.map((table) => `pg_total_relation_size('${table}')`).join(' + ')
    const { rows } = await sql
      .raw<{ rows: bigint; bytes: bigint }>(`select ${counts} as rows, ${size} as bytes`)
      .execute(queries)
    return { rows: Number(rows[0]?.rows), bytes: Number(rows[0]?.bytes) }
  } finally {
    await close()
  }
}

async function startOnce({ folder, database }: ChainPlace): Promise<number> {
  const began = performance.now()
  const network = await startLocalNetwork({
    ...(database === undefined ? { dataDirectory: folder } : { database }),
    seed: SEED,
    blockTimeMs: 3_600_000,
    keepAlive: false,
  })
  try {
    const answer = await fetch(`${network.apiUrl}/height`)
    await answer.text()
    return performance.now() - began
  } finally {
    await network.stop()
  }
}

/** Fills an empty place and starts a network over it again and again. */
export async function measureStart(
  place: ChainPlace,
  { size, starts = 3 }: { readonly size: ChainSize; readonly starts?: number },
): Promise<ChainStart> {
  const { blocks, transactions } = await fillChain(place, size)
  const startMs: number[] = []
  for (let start = 0; start < starts; start++) startMs.push(await startOnce(place))
  const engine = place.database === undefined ? 'embedded' : 'PostgreSQL'
  return { engine, blocks, transactions, ...(await sizeOf(place)), startMs }
}

/** On both engines where there is a PostgreSQL, else on the embedded one alone. */
export async function measureStarts(
  size: ChainSize = { blocks: 100_000, transactionsPerBlock: 3 },
): Promise<readonly ChainStart[]> {
  const folder = await mkdtemp(join(tmpdir(), 'hailstone-start-'))
  const place = { folder: join(folder, 'chain') }
  const embedded = await measureStart(place, { size }).finally(() => rm(folder, { recursive: true }))
  if (postgresMissing !== null) return [embedded]
  const server = await startPostgres()
  try {
    return [embedded, await measureStart({ database: await server.createDatabase() }, { size })]
  } finally {
    await server.stop()
  }
}

function inText({ engine, blocks, transactions, rows, bytes, startMs }: ChainStart): string {
  const of10k = (total: number): number => (total / blocks) * 10_000
  const starts = startMs.map((ms) => ms.toFixed(0)).join(', ')
  return [
    `${engine}, ${blocks} macroblocks with ${transactions} transactions`,
    `  starts in ${starts} ms`,
    `  ${(of10k(bytes) / 1e6).toFixed(1)} MB and ${of10k(rows).toFixed(0)} rows for 10,000 macroblocks`,
  ].join('\n')
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const [blocks, transactionsPerBlock = 3] = process.argv.slice(2).map(Number)
  const measured = await measureStarts(blocks === undefined ? undefined : { blocks, transactionsPerBlock })
  for (const start of measured) process.stdout.write(`${inText(start)}\n`)
}
