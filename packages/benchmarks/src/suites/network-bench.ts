import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'

/**
 * Imports a file of a package that is part of no release; it is compiled when it is wanted.
 *
 * @param file without ending, in the folder that the compiler makes
 */
async function compiled<T>(name: string, file: string): Promise<T> {
  const folder = fileURLToPath(new URL(`../../../${name}/`, import.meta.url))
  const tsc = join(folder, 'node_modules', '.bin', 'tsc')
  const done = spawnSync(tsc, ['-p', 'tsconfig.bench.json'], { cwd: folder, encoding: 'utf8' })
  if (done.status !== 0) throw new Error(`the measurements do not compile:\n${done.stdout}${done.stderr}`)
  return (await import(pathToFileURL(join(folder, 'bench', 'dist', `${file}.js`)).href)) as T
}

/** The measurements that reach into the store are the local network's own. */
export const benchOf = <T>(name: string): Promise<T> => compiled('local-network', `bench/${name}`)

type Postgres = {
  /** Null when a server can be started here, else why not. */
  readonly postgresMissing: string | null
  readonly startPostgres: () => Promise<PostgresServer>
  readonly queryDatabase: (url: string, text: string) => Promise<unknown>
}
export type PostgresServer = {
  readonly port: number
  /** The address of a new, empty database. */
  readonly createDatabase: () => Promise<string>
  readonly stop: () => Promise<void>
}

/** Starts servers in temporary folders, as the tests of the local network do. */
export const postgresOf = (): Promise<Postgres> => compiled('local-network', 'test/postgres-server')

type Chains = {
  readonly openChainOfToken: (size: {
    readonly blocks: number
    readonly ownOf: number
  }) => Promise<AsyncDisposable & { readonly apiUrl: string; readonly tokenId: string }>
}

/** Chains with microblocks of a token, as the tests of the indexer make them. */
export const chainsOf = (): Promise<Chains> => compiled('indexer', 'indexer/bench/chain-of-token')
