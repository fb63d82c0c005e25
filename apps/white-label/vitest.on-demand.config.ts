import { defineConfig } from 'vitest/config'

/** `npm run pictures` photographs brands and the partner's page for the documentation; `npm run lighthouse` measures. */
export default defineConfig({
  ssr: { resolve: { conditions: ['@hailstone/source', 'module', 'node', 'development|production'] } },
  test: {
    include: ['test/pictures.ts', 'test/lighthouse.ts'],
    testTimeout: 180_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 30_000 } },
    fileParallelism: false,
  },
})
