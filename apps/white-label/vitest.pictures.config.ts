import { defineConfig } from 'vitest/config'

/** `npm run pictures`: photographs both example brands and the partner's page for the documentation. */
export default defineConfig({
  ssr: { resolve: { conditions: ['@hailstone/source', 'module', 'node', 'development|production'] } },
  test: {
    include: ['test/pictures.ts'],
    testTimeout: 180_000,
    hookTimeout: 120_000,
    fileParallelism: false,
  },
})
