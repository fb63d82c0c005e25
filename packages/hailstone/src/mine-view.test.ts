import type { MiningSnapshot } from '@hailstone/mining-node'
import { idleSnapshot, type NodeHealth } from '@hailstone/mining-node/health'
import type { Address, TokenId } from '@hailstone/protocol'
import { expect, it } from 'vitest'
import { renderMineView } from './mine-view.ts'

const idle = idleSnapshot({
  address: `02${'ab'.repeat(32)}` as Address,
  tokenId: '0'.repeat(64) as TokenId,
  leaderCheck: { status: 'off', refused: 0 },
  hasApi: true,
})

const linesOf = (state: MiningSnapshot['state'], rows: number): readonly string[] =>
  renderMineView(
    {
      snapshot: { ...idle, state },
      health: { code: 'OK' } as unknown as NodeHealth,
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
