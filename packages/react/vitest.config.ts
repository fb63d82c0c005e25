import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'

const conditions = ['@hailstone/source', 'module', 'node', 'development|production']
const own = { find: '@hailstone/react', replacement: fileURLToPath(new URL('src/index.ts', import.meta.url)) }
const test = {
  testTimeout: 120_000,
  hookTimeout: 60_000,
  expect: { poll: { timeout: 30_000, interval: 20 } },
}

/** The same hooks in React and in Preact: the second project swaps one for the other. */
export default defineConfig({
  test: {
    projects: [
      {
        ssr: { resolve: { conditions } },
        resolve: { conditions, alias: [own] },
        test: { ...test, name: 'react', include: ['src/**/*.test.ts', 'test/**/*.test.tsx'] },
      },
      {
        ssr: { resolve: { conditions } },
        resolve: {
          conditions,
          alias: [
            own,
            { find: /^react\/jsx-(dev-)?runtime$/, replacement: 'preact/jsx-runtime' },
            { find: /^react-dom\/client$/, replacement: 'preact/compat/client' },
            { find: /^react$/, replacement: 'preact/compat' },
          ],
        },
        test: { ...test, name: 'preact', include: ['test/**/*.test.tsx'] },
      },
    ],
  },
})
