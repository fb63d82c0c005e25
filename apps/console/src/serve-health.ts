import type { FastifyInstance } from 'fastify'
import type { ChainStatus, Follower } from './open-follower.ts'

const codes: Readonly<Record<ChainStatus['state'], string>> = {
  following: 'READY',
  starting: 'CATCHING_UP',
  behind: 'BEHIND',
  lying: 'API_LIES',
  forked: 'DEEP_FORK',
  failing: 'TABLES_AWAY',
}

/**
 * Serves `/health` to programs of this machine: 200 while the tables follow the chain and alerts are judged, else 503 with
 * why not. It reads no table, so it answers while the database is away.
 */
export function serveHealth(server: FastifyInstance, follower: Pick<Follower, 'status'>): void {
  server.get('/health', { config: { role: 'viewer', isOpenHere: true } }, async (_, reply) => {
    const { state, height, failure, alertsFailure } = follower.status()
    const isReady = state === 'following' && alertsFailure === null
    const code = state === 'following' && !isReady ? 'ALERTS_NOT_JUDGED' : codes[state]
    return reply
      .code(isReady ? 200 : 503)
      .send({ isReady, code, why: failure ?? alertsFailure ?? '', height })
  })
}
