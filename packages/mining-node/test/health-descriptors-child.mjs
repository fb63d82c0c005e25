// Serves the health of a process that then uses up its descriptors; see health-descriptors.test.ts.
import { openSync } from 'node:fs'
import { metricsText } from '../dist/health/metrics-text.js'
import { processMetrics } from '../dist/health/process-metrics.js'
import { serveHealth } from '../dist/health/serve-health.js'

const server = await serveHealth(
  {
    health: () => ({ isReady: true }),
    status: () => {
      throw new Error('EMFILE')
    },
    metrics: () => metricsText(processMetrics(1000)),
  },
  { port: 0 },
)
process.on('message', () => {
  let used = 0
  try {
    for (;;) used += openSync(process.execPath) > 0 ? 1 : 0
  } catch {
    process.send({ used })
  }
})
process.send({ port: server.port })
