import type { metricsText } from '@hailstone/mining-node/health'
import { lostLines } from './terminal.ts'

/** Numbers about the output of this process, for `/metrics`. */
export const outputMetrics = (): Parameters<typeof metricsText>[0] => [
  {
    name: 'hailstone_lost_lines_total',
    type: 'counter',
    help: 'Lines that standard output and standard error did not take.',
    samples: [{ value: lostLines().lines }],
  },
]
