import { type Metric, samplesOf } from './metrics-text.ts'

/** Returns the process metrics under the names that Prometheus recommends. */
export function processMetrics(uptimeMs: number): readonly Metric[] {
  const cpu = readOrNull(process.cpuUsage)
  const memory = readOrNull(process.memoryUsage)
  const one = (
    name: string,
    type: Metric['type'],
    help: string,
    value: number | null | undefined,
  ): Metric => ({
    name,
    type,
    help,
    samples: samplesOf(value),
  })
  const cpuSeconds = cpu && (cpu.user + cpu.system) / 1e6
  return [
    one('process_resident_memory_bytes', 'gauge', 'Resident memory.', memory?.rss),
    one('process_cpu_seconds_total', 'counter', 'Processor time, user and system.', cpuSeconds),
    one('hailstone_uptime_seconds', 'gauge', 'Since the start.', uptimeMs / 1000),
  ]
}

/** Reading memory opens a file: without descriptors left it throws, and the figure is left out. */
function readOrNull<T>(read: () => T): T | null {
  try {
    return read()
  } catch {
    return null
  }
}
