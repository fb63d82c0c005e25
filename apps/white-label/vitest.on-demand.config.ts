import { defineConfig } from 'vitest/config'

/** `npm run pictures` takes the pictures of the documentation; `npm run lighthouse` measures the app. */
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
