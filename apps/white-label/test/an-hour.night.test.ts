import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { begin, brandFolder, importAccount, plain, untilStatus, useApp } from './app-harness.ts'

/** Hours of macroblocks of 15 s; here they come four in a second. */
const HOURS = Number(process.env.HAILSTONE_HOURS ?? 1)
const BLOCKS = { tenMinutes: 40, anHour: 240 }
/** Growth of the heap, in MB, and of the count of nodes that is still taken for noise of the garbage collection. */
const ROOM = { heapMegabytes: 3, nodes: 200 }

const app = useApp({ network: { blockTimeMs: 250 }, asShipped: true })

/** Returns what is alive in a page: megabytes of its heap, and nodes of documents. */
async function alive(page: Page): Promise<{ readonly heapMegabytes: number; readonly nodes: number }> {
  const session = await page.context().newCDPSession(page)
  await session.send('HeapProfiler.collectGarbage')
  const { usedSize } = await session.send('Runtime.getHeapUsage')
  const { nodes } = await session.send('Memory.getDOMCounters')
  await session.detach()
  return { heapMegabytes: usedSize / 1_000_000, nodes }
}

it(
  'keeps nothing of an hour of mining that it did not have after ten minutes',
  async () => {
    const page = await app.open(await app.serve({ brandFolder: brandFolder('jamr'), flags: plain }))
    await importAccount(page, app.keyOf(1))
    await begin(page)
    await untilStatus(page, 'Mining')
    const first = app.network.height()
    const untilBlocks = (count: number): Promise<void> =>
      expect
        .poll(() => app.network.height() - first, { timeout: 250_000 * HOURS })
        .toBeGreaterThanOrEqual(count)
    await untilBlocks(BLOCKS.tenMinutes)
    const before = await alive(page)
    await untilBlocks(BLOCKS.anHour * HOURS)
    const after = await alive(page)
    await untilStatus(page, 'Mining')
    const both = JSON.stringify({ before, after })
    expect(after.heapMegabytes - before.heapMegabytes, both).toBeLessThan(ROOM.heapMegabytes)
    expect(after.nodes - before.nodes, both).toBeLessThan(ROOM.nodes)
  },
  300_000 * HOURS,
)
