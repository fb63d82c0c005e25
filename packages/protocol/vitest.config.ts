import { defineConfig } from 'vitest/config'

export default defineConfig({
  ssr: { resolve: { conditions: ['@hailstone/source', 'module', 'node', 'development|production'] } },
  test: {
    include: ['src/**/*.test.ts', 'test/**/*.test.ts'],
    environment: 'node',
    // Claims about random values are slow on a busy machine, and no less true.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    isolate: false,
  },
})
