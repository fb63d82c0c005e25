import type { MiningSnapshot } from '@hailstone/mining-node'
import { idleSnapshot, type NodeHealth } from '@hailstone/mining-node/health'
import type { Address, TokenId } from '@hailstone/protocol'
import { expect, it } from 'vitest'
import { renderMineView } from './mine-view.ts'
import type { WebhookReport } from './webhook/open-webhooks.ts'

const idle = idleSnapshot({
  address: `02${'ab'.repeat(32)}` as Address,
  tokenId: '0'.repeat(64) as TokenId,
  leaderCheck: { status: 'off', refused: 0 },
  hasApi: true,
})

const linesOf = (
  state: MiningSnapshot['state'],
  rows: number,
  webhooks: WebhookReport | null = null,
): readonly string[] =>
  renderMineView(
    {
      snapshot: { ...idle, state },
      health: { code: 'OK' } as unknown as NodeHealth,
      webhooks,
      nowMs: 0,
      healthUrl: null,
      log: Array.from({ length: 20 }, (_, at) => `line ${at}`),
      hasColours: false,
    },
    { columns: 80, rows },
  )

it('leaves a row of every terminal for the cursor, and the newest of the log in what is free', () => {
  const mining = { status: 'mining', why: '', nextStep: '' } as const
  for (const rows of [12, 14, 24, 60]) {
    const lines = linesOf(mining as MiningSnapshot['state'], rows)
    expect(lines.length).toBeLessThan(rows)
    expect(lines.slice(-2)).toEqual(['line 19', 'Ctrl-C stops.'])
  }
})

it('says once that it stopped, and asks nobody to stop it any more', () => {
  const stopped = { status: 'stopped', why: 'stopped', nextStep: '' } as unknown as MiningSnapshot['state']
  const lines = linesOf(stopped, 24)
  expect(lines).toContain('stopped')
  expect(lines).not.toContain('Ctrl-C stops.')
})

it('says in a line of 80 columns why webhooks fail and since when, and nothing while they are delivered', () => {
  const mining = { status: 'mining', why: '', nextStep: '' } as unknown as MiningSnapshot['state']
  const counts = { delivered: 7, failedAttempts: 2, pending: 3, oldestAgeMs: 4_000, expired: 0 }
  const about = (report: WebhookReport | null): readonly string[] =>
    linesOf(mining, 24, report).filter((line) => line.includes('webhooks'))
  expect([about(null), about({ ...counts, fault: null })]).toEqual([[], []])
  const fault = { why: 'the connection failed (ECONNREFUSED)', message: '', sinceMs: 0 }
  const clock = new Date(0).toTimeString().slice(0, 8)
  expect(about({ ...counts, fault })).toEqual([
    `! webhooks since ${clock}: the connection failed (ECONNREFUSED); 3 wait`,
  ])
  expect(about({ ...counts, expired: 2, fault: null })).toEqual([
    '! webhooks: 2 given up, nobody took them for a day',
  ])
})
