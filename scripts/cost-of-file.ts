// Runs before every test file: appends what the file cost, by the clock and of the processor, to the file named in
// HAILSTONE_TEST_COSTS. Programs that it started, such as browsers and servers, are counted with it.
import { appendFileSync, readFileSync } from 'node:fs'
import process from 'node:process'
import { afterAll, expect } from 'vitest'

const TICKS_PER_SECOND = 100

/** Ticks of a process, of its children that ended, and of those that run. */
function ticksOf(id: string): number {
  try {
    const stat = readFileSync(`/proc/${id}/stat`, 'utf8')
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    const own = fields.slice(11, 15).reduce((sum, ticks) => sum + Number(ticks), 0)
    const children = readFileSync(`/proc/${id}/task/${id}/children`, 'utf8').split(' ').filter(Boolean)
    return children.reduce((sum, child) => sum + ticksOf(child), own)
  } catch {
    // It ended meanwhile.
    return 0
  }
}

/** Seconds of the processor that this process and all below it have used. */
function processorSeconds(): number {
  if (process.platform === 'linux') return ticksOf(String(process.pid)) / TICKS_PER_SECOND
  const { user, system } = process.cpuUsage()
  return (user + system) / 1e6
}

const path = process.env.HAILSTONE_TEST_COSTS
if (path !== undefined) {
  const [startedAt, before] = [performance.now(), processorSeconds()]
  afterAll(() => {
    const seconds = (performance.now() - startedAt) / 1000
    const processor = processorSeconds() - before
    appendFileSync(path, `${JSON.stringify({ file: expect.getState().testPath, seconds, processor })}\n`)
  })
}
