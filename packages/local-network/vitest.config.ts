import { defineConfig } from 'vitest/config'

export default defineConfig({
  ssr: { resolve: { conditions: ['@hailstone/source', 'module', 'node', 'development|production'] } },
  test: {
    include: ['src/**/*.test.ts', 'test/**/*.test.ts'],
    environment: 'node',
    // An answer that is not as the reference describes it ends the run.
    env: { HAILSTONE_VALIDATE_ANSWERS: '1' },
    // The first test on a machine waits for the database's set-up, which is kept for all later ones.
    testTimeout: 120_000,
    hookTimeout: 60_000,
    // A claim that comes true is waited for as long as a busy machine takes, not as long as an idle one does.
    expect: { poll: { timeout: 30_000, interval: 20 } },
    // No file changes what another one imports; the database and the interface are loaded once.
    isolate: false,
    // Much of it waits for sockets and processes, so two at a time take half as long on two cores.
    maxWorkers: 2,
  },
})
