import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe } from 'vitest'
import { isNight } from '../../../scripts/gate-size.ts'
import type { ChainPlace } from '../src/store/open-chain-store.ts'
import { type PostgresServer, postgresMissing, startPostgres } from './postgres-server.ts'

type Engine = {
  readonly name: 'embedded' | 'PostgreSQL'
  /** Creates a place for a new chain that can be opened again. */
  readonly newPlace: () => Promise<ChainPlace>
}

type EngineTests = (engine: Engine) => void

/** Runs the same tests on both engines; PostgreSQL is left out, by name and with the reason, where there is none. */
export function describeBothEngines(claim: string, tests: EngineTests): void {
  describeEmbedded(claim, tests)
  describePostgres(`${claim} (PostgreSQL)`, (server) => tests(onServer(server)))
}

/** As {@link describeBothEngines}, on PostgreSQL by night alone: for what is above the store, which is tested on both. */
export function describeEngines(claim: string, tests: EngineTests): void {
  describeEmbedded(claim, tests)
  describePostgresByNight(`${claim} (PostgreSQL)`, (server) => tests(onServer(server)))
}

function describeEmbedded(claim: string, tests: EngineTests): void {
  describe(`${claim} (embedded)`, () => {
    const folders: string[] = []
    afterAll(() => Promise.all(folders.map((folder) => rm(folder, { recursive: true, force: true }))))
    tests({
      name: 'embedded',
      async newPlace() {
        const folder = await mkdtemp(join(tmpdir(), 'hailstone-engine-'))
        folders.push(folder)
        return { folder }
      },
    })
  })
}

const onServer = (server: () => PostgresServer): Engine => ({
  name: 'PostgreSQL',
  newPlace: async () => ({ database: await server().createDatabase() }),
})

/** Tests that need a PostgreSQL server, in `npm run test:night` alone. */
export function describePostgresByNight(claim: string, tests: (server: () => PostgresServer) => void): void {
  if (isNight) describePostgres(claim, tests)
}

/** Tests that need a PostgreSQL server, which is started for them. Where there is none, their name says so. */
export function describePostgres(claim: string, tests: (server: () => PostgresServer) => void): void {
  const reason = postgresMissing === null ? '' : ` – left out: ${postgresMissing}`
  describe.skipIf(postgresMissing !== null)(`${claim}${reason}`, () => tests(usePostgres()))
}

/** A server for the tests around it. */
function usePostgres(): () => PostgresServer {
  let server: PostgresServer | undefined
  beforeAll(async () => {
    server = await startPostgres()
  })
  afterAll(() => server?.stop())
  return () => {
    if (server === undefined) throw new Error('PostgreSQL is not running yet')
    return server
  }
}
