import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'
import { failedTests } from '../../scripts/failed-tests.ts'
import { conditions, limits, retry } from '../../scripts/vitest-settings.ts'

const own = { find: '@hailstone/react', replacement: fileURLToPath(new URL('src/index.ts', import.meta.url)) }

/** Runs the same tests in React and in Preact. */
export default defineConfig({
  test: {
    reporters: ['default', failedTests],
    projects: [
      {
        ssr: { resolve: { conditions } },
        resolve: { conditions, alias: [own] },
        test: { ...limits, retry, name: 'react', include: ['src/**/*.test.ts', 'test/**/*.test.tsx'] },
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
        test: { ...limits, retry, name: 'preact', include: ['test/**/*.test.tsx'] },
      },
    ],
  },
})
