import { defineConfig } from 'vitest/config'

export default defineConfig({
  ssr: { resolve: { conditions: ['@hailstone/source', 'module', 'node', 'development|production'] } },
  test: { include: ['test/**/*.test.ts'], testTimeout: 180_000, hookTimeout: 60_000 },
})
