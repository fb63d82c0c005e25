import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'

export default defineConfig({
  // The example of the README names the package itself.
  resolve: { alias: { '@hailstone/mining-node': fileURLToPath(new URL('src/node.ts', import.meta.url)) } },
  ssr: { resolve: { conditions: ['@hailstone/source', 'module', 'node', 'development|production'] } },
  test: {
    include: ['src/**/*.test.ts', 'test/**/*.test.ts'],
    environment: 'node',
    testTimeout: 120_000,
    hookTimeout: 60_000,
    expect: { poll: { timeout: 30_000, interval: 20 } },
  },
})
