import { getMacroblockOutline, pinnedCore } from '@hailstone/client'
import { apiError, sha256Hex } from '@hailstone/protocol'
import { expect, it } from 'vitest'
import { payingChain } from '../../test/paying-chain.ts'
import { steppedClock } from '../../test/stepped-clock.ts'
import { linkOf } from '../watchers/read-chain.ts'
import { createIsBuiltOn } from './passed-macroblock.ts'

it('believes after half a minute that key blocks commit by no rule that is known, until one does by a known rule', async () => {
  const clock = steppedClock()
  const chain = payingChain(clock)
  const ledger = sha256Hex('ledger')
  chain.snapshot = { height: 5, hash: ledger, shown: null }
  const { signal } = new AbortController()
  const core = pinnedCore(chain.client)
  const stamp = () => ({ source: core.source, height: null, readAtMs: 0 })
  const place = {
    core,
    at: null,
    isCatchingUp: false,
    heightOf: () => undefined,
    timeAt: () => undefined,
    stands: () => null,
    reach: async () => undefined,
    stamp,
  }
  async function read(height: number) {
    const macroblock = await getMacroblockOutline(core, { height, signal })
    if (macroblock === undefined) throw apiError('HEIGHT_UNAVAILABLE', { height })
    return macroblock
  }
  const isBuiltOn = createIsBuiltOn()
  const isBuilt = async (height: number): Promise<boolean> =>
    isBuiltOn({ ...linkOf(await read(height - 1)), rewards: [] }, await read(height), place, signal)

  async function believed(): Promise<void> {
    for (const byMs of [0, 15_000]) {
      await clock.advance(byMs)
      await expect(isBuilt(6)).rejects.toMatchObject({ code: 'CHAIN_INCONSISTENT' })
    }
    await clock.advance(15_000)
    expect(await isBuilt(6)).toBe(true)
    expect(await isBuilt(6)).toBe(true)
  }
  await believed()
  expect(await isBuilt(7)).toBe(true)
  await believed()
  chain.snapshot = { ...chain.snapshot, shown: ledger }
  expect(await isBuilt(6)).toBe(true)
  chain.snapshot = { ...chain.snapshot, shown: null }
  await expect(isBuilt(6)).rejects.toMatchObject({ code: 'CHAIN_INCONSISTENT' })
})
