import type { FastifyInstance } from 'fastify'
import type { ApiParts } from './api-parts.ts'
import { healthOf } from './routes/health.ts'

const TYPE = 'text/plain; version=0.0.4; charset=utf-8'

/** Writes a number in the text format of Prometheus; nothing for one that is not known. */
const gauge = (name: string, help: string, value: number | null): readonly string[] =>
  value === null ? [] : [`# HELP ${name} ${help}`, `# TYPE ${name} gauge`, `${name} ${value}`]

/** Serves `/metrics`: what `/health` says, as Prometheus reads it. Its status is 200 whatever the network's is. */
export function serveMetrics(server: FastifyInstance, parts: ApiParts): void {
  server.get('/metrics', async (_, reply) => {
    const { state, height, lastBlockAgeMs, minersOnline, pendingCount, isStoreOk } = await healthOf(parts)
    const ageSeconds = lastBlockAgeMs === null ? null : lastBlockAgeMs / 1000
    const lines = [
      ...gauge(
        'hailstone_network_ok',
        '1 while nothing is wrong, 0 while /health answers 503.',
        Number(state === 'ok'),
      ),
      ...gauge('hailstone_network_store_ok', '1 while the database answers.', Number(isStoreOk)),
      ...gauge('hailstone_network_height', 'Height of the open key block.', height),
      ...gauge(
        'hailstone_network_last_block_age_seconds',
        'Time since the open key block was made.',
        ageSeconds,
      ),
      ...gauge('hailstone_network_miners_online', 'Miners that have hailed, at all gateways.', minersOnline),
      ...gauge('hailstone_network_pending_transactions', 'Transactions that wait in the pool.', pendingCount),
    ]
    return reply.type(TYPE).send(`${lines.join('\n')}\n`)
  })
}
