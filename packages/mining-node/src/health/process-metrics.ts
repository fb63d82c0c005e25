import type { Metric } from './metrics-text.ts'

/** What every program shows, under the names Prometheus recommends. */
export function processMetrics(uptimeMs: number): readonly Metric[] {
  const { user, system } = process.cpuUsage()
  const { rss } = process.memoryUsage()
  const one = (name: string, type: Metric['type'], help: string, value: number): Metric => ({
    name,
    type,
    help,
    samples: [{ value }],
  })
  return [
    one('process_resident_memory_bytes', 'gauge', 'Resident memory.', rss),
    one('process_cpu_seconds_total', 'counter', 'Processor time, user and system.', (user + system) / 1e6),
    one('hailstone_uptime_seconds', 'gauge', 'Since the start.', uptimeMs / 1000),
  ]
}
