import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { beforeAll, describe, expect, test } from 'vitest'
import { gateSize } from '../../../scripts/gate-size.ts'
import { buildCommand, runCommand } from './command-run.ts'
import { describeEngines } from './engines.ts'
import { killOften } from './kill-often.ts'

/**
 * A few for every commit. The long run: `HAILSTONE_KILLS=200 npx vitest run test/kill.gate.test.ts`, which takes some
 * minutes and tells what it saw.
 */
const KILLS = gateSize('HAILSTONE_KILLS', 6)

beforeAll(buildCommand)

describe('the command', () => {
  test('shows its help', async () => {
    expect(await runCommand('--help').ended).toBe(0)
  })

  test('ends with code 2 and a sentence when a flag is wrong', async () => {
    const wrong = runCommand('--block-time', 'soon')
    expect(await wrong.ended).toBe(2)
    expect(wrong.errors()).toContain('--block-time')
  })

  test.each(['SIGINT', 'SIGTERM'] as const)('ends with code 0 after %s', async (signal) => {
    const started = runCommand('--memory', '--block-time', '100ms')
    expect(await started.began).toBe(0)
    started.child.kill(signal)
    expect(await started.ended).toBe(0)
    expect(started.errors()).toBe('')
  })

  test('ends with code 0 after SIGTERM while it waits for another network', async () => {
    const other = createServer().listen(0, '127.0.0.1')
    await once(other, 'listening')
    const url = `http://127.0.0.1:${(other.address() as AddressInfo).port}/api/v1`
    const starting = runCommand('--memory', '--fork', url, '--account', `02${'ab'.repeat(32)}`)
    await once(other, 'request')
    starting.child.kill('SIGTERM')
    expect([await starting.ended, starting.errors()]).toEqual([0, ''])
    other.closeAllConnections()
    other.close()
  })
})

describeEngines('kill -9', (engine) => {
  test(
    `D3: ${KILLS} times at random moments: no confirmed transaction is lost, no half macroblock is stored`,
    async () => {
      const report = await killOften(await engine.newPlace(), { kills: KILLS, seed: 'kill' })
      if (KILLS > 50) process.stdout.write(`${engine.name}: ${JSON.stringify(report)}\n`)
      expect(report.failures).toEqual([])
      // Every second one lives until it has stored two.
      expect(report.height).toBeGreaterThanOrEqual(KILLS)
      expect(report.confirmed).toBeGreaterThan(0)
    },
    300_000 + KILLS * 60_000,
  )
})
