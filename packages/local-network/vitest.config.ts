import { defineConfig } from 'vitest/config'

export default defineConfig({
  ssr: { resolve: { conditions: ['@hailstone/source', 'module', 'node', 'development|production'] } },
  test: {
    include: ['src/**/*.test.ts', 'test/**/*.test.ts'],
    environment: 'node',
    // An answer that is not as the reference describes it ends the run.
    env: { HAILSTONE_VALIDATE_ANSWERS: '1' },
    // The first test on a machine waits for the database's set-up, which is kept for all later ones.
    testTimeout: 30_000,
    hookTimeout: 30_000,
  },
})
