import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Address, NodeError } from '@hailstone/protocol'
import { expect, it, onTestFinished } from 'vitest'
import { openFileCursors } from '../src/node.ts'
import { watchBalance } from '../src/watchers/watch-balance.ts'
import { watchRewards } from '../src/watchers/watch-rewards.ts'
import { modelChain } from './model-chain.ts'
import { steppedClock } from './stepped-clock.ts'
import { until } from './until.ts'

const account = `02${'ab'.repeat(32)}` as Address

/** A store of cursors in files, of which one was damaged. */
async function damagedFile(damage: (text: string) => string) {
  const folder = await mkdtemp(join(tmpdir(), 'hailstone-damaged-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  const clock = steppedClock()
  const model = modelChain(account)
  const cursor = { store: openFileCursors({ folder }), name: 'one' }
  const common = { client: model.clientOf(clock), address: account, pollIntervalMs: 2_000, cursor }
  const path = async (): Promise<string> => join(folder, String((await readdir(folder))[0]))
  const spoil = async (): Promise<string> => {
    const whole = await readFile(await path(), 'utf8')
    await writeFile(await path(), damage(whole))
    return whole
  }
  return { clock, model, common, spoil, path }
}

const damages: [string, (text: string) => string][] = [
  ['cut in half', (text) => text.slice(0, text.length / 2)],
  ['empty', () => ''],
  ['of another version', (text) => `${'0'.repeat(64)}${text.slice(64)}`],
]

it.each(damages)('rewards are not told while their cursor is %s, and none is lost', async (_, damage) => {
  const { clock, model, common, spoil, path } = await damagedFile(damage)
  const told: bigint[] = []
  const errors: NodeError[] = []
  const watch = () =>
    watchRewards({
      ...common,
      from: -1,
      onReward: ({ amount }) => void told.push(amount),
      onError: (error) => errors.push(error),
    })
  model.mine([1n])
  const first = watch()
  await until(() => clock.advance(1_000).then(() => told.length === 1), 'the first was told')
  await first.stop()
  const whole = await spoil()
  model.mine([2n])
  await using _second = watch()
  await until(() => clock.advance(1_000).then(() => errors.length >= 3), 'it was reported again')
  model.mine([3n])
  await clock.advance(30_000)
  expect(told).toEqual([1n])
  expect(new Set(errors.map(({ code }) => code))).toEqual(new Set(['CURSOR_STORE_FAILED']))
  expect(errors[0]?.facts).toMatchObject({ name: 'one', reason: expect.stringContaining('remove it') })
  await writeFile(await path(), whole)
  await until(() => clock.advance(1_000).then(() => told.length === 3), 'it went on')
  expect(told).toEqual([1n, 2n, 3n])
})

it.each(damages)('a balance is told whose cursor is %s, which is reported once', async (_, damage) => {
  const { clock, model, common, spoil } = await damagedFile(damage)
  const told: bigint[] = []
  const codes: string[] = []
  const watch = () =>
    watchBalance({
      ...common,
      onChange: ({ amount }) => told.push(amount),
      onError: ({ code }) => codes.push(code),
    })
  model.mine([1n])
  const first = watch()
  await until(() => clock.advance(1_000).then(() => told.length === 1), 'it was told')
  await first.stop()
  await spoil()
  model.mine([2n])
  await using _second = watch()
  await until(() => clock.advance(1_000).then(() => told.length === 2), 'it was told again')
  model.mine([3n])
  await until(() => clock.advance(1_000).then(() => told.length === 3), 'and when it changed')
  expect(codes).toEqual(['CURSOR_STORE_FAILED'])
})
