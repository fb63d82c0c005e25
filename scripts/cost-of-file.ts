// Runs before every test file: appends what the file cost, by the clock and of the processor, to the file named in
// HAILSTONE_TEST_COSTS. Programs that it started, such as browsers and servers, are counted with it.
import { appendFileSync, readdirSync, readFileSync } from 'node:fs'
import process from 'node:process'
import { afterAll, expect } from 'vitest'

const TICKS_PER_SECOND = 100

type Usage = { readonly parent: number; readonly ticks: number }

/** Processor time of a process and of the children that ended. */
function usageOf(id: string): Usage | null {
  try {
    const stat = readFileSync(`/proc/${id}/stat`, 'utf8')
    const fields = stat
      .slice(stat.lastIndexOf(')') + 2)
      .split(' ')
      .map(Number)
    const [parent = 0] = fields.slice(1)
    return { parent, ticks: fields.slice(11, 15).reduce((sum, ticks) => sum + ticks, 0) }
  } catch {
    // It ended meanwhile.
    return null
  }
}

/** Seconds of the processor that this process and all below it have used. */
function processorSeconds(): number {
  if (process.platform !== 'linux') {
    const { user, system } = process.cpuUsage()
    return (user + system) / 1e6
  }
  const all = new Map<number, Usage>()
  for (const name of readdirSync('/proc')) {
    const usage = /^\d+$/.test(name) ? usageOf(name) : null
    if (usage !== null) all.set(Number(name), usage)
  }
  const isBelow = (id: number): boolean => {
    for (let at = id, depth = 0; at > 1 && depth < 50; at = all.get(at)?.parent ?? 0, depth++)
      if (at === process.pid) return true
    return false
  }
  let ticks = 0
  for (const [id, usage] of all) if (isBelow(id)) ticks += usage.ticks
  return ticks / TICKS_PER_SECOND
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
