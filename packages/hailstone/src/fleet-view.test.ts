import type { FleetHealth } from '@hailstone/mining-node/fleet'
import { expect, it } from 'vitest'
import { renderFleetView } from './fleet-view.ts'

const health = {
  nodes: { total: 10_000, mining: 9_000, waitingForBeacon: 500, connecting: 100, waiting: 400, stopped: 7 },
  publications: { published: 70_000, included: 60_000 },
  tip: { height: 123_456, ageMs: 4_000 },
  signing: { threads: 2 },
  accounts: null,
  code: 'OK',
  why: '',
  problems: [{ nodes: 100, why: `the gateway wss://${'a'.repeat(60)}.example does not answer` }],
} as unknown as FleetHealth

const webhooks = {
  ...{ delivered: 7, failedAttempts: 2, pending: 3, oldestAgeMs: 4_000, expired: 0 },
  fault: { why: `the certificate of ${'a'.repeat(60)}.example is not valid`, message: '', sinceMs: 0 },
}

it('draws a fleet in lines that no terminal wraps, with every count of the miners', () => {
  for (const columns of [60, 80, 120, 200]) {
    const lines = renderFleetView({ health, served: null, webhooks, nowMs: 0 }, columns)
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThan(columns)
    expect(lines.join(' ').replaceAll(/ +/g, ' ')).toContain(
      '9000 mining, 500 waiting for a beacon, 100 connecting, 400 between connections, 7 stopped',
    )
    expect(lines.at(-1)).toMatch(/^! webhooks since \d\d:\d\d:\d\d: the certificate of a+/)
  }
})
