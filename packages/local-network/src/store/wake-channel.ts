import { randomUUID } from 'node:crypto'
import { cutConnection, type PostgresDatabase } from '@hailstone/database'
import { sql } from 'kysely'
import type { Schema } from './schema.ts'

const CHANNEL = 'hailstone'
const RECONNECT_MS = 500
/** Wakes that follow a notification so soon are told together. */
const REST_MS = 20
/** Time that the server has to end the connection that listens, in ms. */
const FAREWELL_MS = 1000

/** Tells other processes that there is something to look at. Whoever misses it looks a little later by itself. */
export type WakeChannel = {
  /** Resolves even if no process could be notified. */
  readonly wake: () => Promise<void>
  /** Answers how to stop listening. */
  readonly listen: (heard: () => void) => () => Promise<void>
}

/**
 * LISTEN and NOTIFY with nothing but the name of who wakes: what there is to know stands in tables. An engine that has neither is
 * looked at by the clock alone.
 */
export function createWakeChannel({
  queries,
  newClient,
}: Pick<PostgresDatabase<Schema>, 'queries' | 'newClient'>): WakeChannel {
  /** Says who wakes: that one knows already what there is. */
  const own = randomUUID()
  let telling: Promise<void> | undefined
  let isWanted = false
  const tell = async (): Promise<void> => {
    while (isWanted) {
      isWanted = false
      await sql`select pg_notify(${CHANNEL}, ${own})`.execute(queries).catch(() => {})
      await new Promise((resolve) => setTimeout(resolve, REST_MS))
    }
  }
  return {
    wake() {
      isWanted = true
      telling ??= tell().finally(() => {
        telling = undefined
      })
      return telling
    },
    listen: (heard) => listenOn(newClient, own, heard),
  }
}

function listenOn(
  newClient: PostgresDatabase<Schema>['newClient'],
  own: string,
  heard: () => void,
): () => Promise<void> {
  let isStopped = false
  let client: ReturnType<typeof newClient> | undefined
  let timer: NodeJS.Timeout | undefined
  const later = (): void => {
    if (isStopped) return
    clearTimeout(timer)
    timer = setTimeout(() => void connect(), RECONNECT_MS)
  }
  async function connect(): Promise<void> {
    const next = newClient()
    client = next
    // A connection that ends without an error must be noticed too.
    next.on('error', later)
    next.on('end', later)
    next.on('notification', ({ payload }) => {
      if (payload !== own) heard()
    })
    try {
      await next.connect()
      await next.query(`listen ${CHANNEL}`)
      heard()
    } catch {
      await next.end().catch(() => {})
      later()
    }
  }
  void connect()
  return async () => {
    isStopped = true
    clearTimeout(timer)
    if (client === undefined) return
    // A server that is frozen never says goodbye.
    const cut = setTimeout(cutConnection, FAREWELL_MS, client)
    await client.end().catch(() => {})
    clearTimeout(cut)
  }
}
