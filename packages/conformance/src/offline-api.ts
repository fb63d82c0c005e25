import type { ChainStore, Mempool, OpenedStore } from '@hailstone/local-network'
import {
  type Api,
  type ApiOptions,
  type ChainOrigin,
  createApi,
  createMempool,
  openChainStore,
  openTemporaryStore,
} from '@hailstone/local-network'
import type { KeyBlock } from '@hailstone/protocol'

/** The real API over a chain in memory, called without a socket. */
export type OfflineApi = AsyncDisposable & {
  readonly api: Api
  readonly store: ChainStore
  readonly mempool: Mempool
}

const PUBLIC_BLOCK_TIME_MS = 15_000

/**
 * Variable with the address of a database server; each check gets a schema of its own. @default the embedded engine
 */
export const DATABASE_VARIABLE = 'HAILSTONE_CONFORMANCE_DATABASE'

/** Variable with the address of a copy of that server, which then answers what the API reads. @default none */
export const READ_DATABASE_VARIABLE = 'HAILSTONE_CONFORMANCE_READ_DATABASE'

const openStore = () => {
  const { [DATABASE_VARIABLE]: database = '', [READ_DATABASE_VARIABLE]: readDatabase } = process.env
  return database === '' ? openChainStore() : openTemporaryStore(database, readDatabase)
}

/** A store for writing, and its reads as a network has them that announces each macroblock when it is stored. */
function withClients(opened: OpenedStore, { origin }: ChainOrigin) {
  let open: KeyBlock = origin
  const clients = opened.forClients({ announced: () => open })
  const store: ChainStore = {
    ...opened,
    async appendMacroblock(closing) {
      await opened.appendMacroblock(closing)
      open = closing.nextKeyBlock
    },
  }
  return { store, clients: clients.store }
}

export async function createOfflineApi(
  origin: ChainOrigin,
  changes: Partial<ApiOptions> = {},
): Promise<OfflineApi> {
  const opened = await openStore()
  await opened.initialise(origin)
  const { store, clients } = withClients(opened, origin)
  const mempool = createMempool({ now: Date.now })
  const api = await createApi({
    store: clients,
    mempool,
    minersOnline: () => [],
    faucet: async () => 'empty',
    clock: { now: Date.now },
    blockTimeMs: PUBLIC_BLOCK_TIME_MS,
    ...changes,
  })
  return {
    api,
    store,
    mempool,
    async [Symbol.asyncDispose]() {
      await api.close()
      await store.close()
    },
  }
}

/** An answer in the shape of the recordings: the header is null if it was missing. */
export type Reply = { readonly status: number; readonly contentType: string | null; readonly body: string }

export async function ask(
  { api }: OfflineApi,
  request: {
    readonly method: string
    readonly path: string
    readonly contentType?: string | null | undefined
    readonly body?: string | undefined
  },
): Promise<Reply> {
  const { method, path, contentType = null, body } = request
  const response = await api.inject({
    method: method as 'GET',
    url: path,
    ...(contentType === null ? {} : { headers: { 'content-type': contentType } }),
    ...(body === undefined ? {} : { payload: body }),
  })
  const type = response.headers['content-type']
  return {
    status: response.statusCode,
    contentType: type === undefined ? null : String(type),
    body: response.body,
  }
}
