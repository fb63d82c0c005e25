// Settings of every package's tests, in one place. A package's vitest.config.ts adds what is its own.
import { fileURLToPath } from 'node:url'
import { defineConfig, mergeConfig, type ViteUserConfig } from 'vitest/config'
import { failedTests } from './failed-tests.ts'

/** Resolves workspace packages to their sources. */
const ofSources = ['@hailstone/source', 'module', 'node', 'development|production']
/** Resolves them to what was built, as their users do, so that no source is compiled for each package that imports it. */
const ofBuilt = ofSources.slice(1)

/** True in `npm test` and the gates, which build first. */
const isBuilt = process.env.HAILSTONE_BUILT_PACKAGES === '1'

export const conditions = isBuilt ? ofBuilt : ofSources

/**
 * Limits that end a test that hangs, in ms. They say nothing about how fast the tested code is: a machine that is
 * twenty times as busy has to stay below them.
 */
export const limits = {
  testTimeout: 300_000,
  hookTimeout: 300_000,
  teardownTimeout: 60_000,
  expect: { poll: { timeout: 120_000, interval: 20 } },
} as const

/**
 * Number of times that a test that failed is run again. `.ci/run` sets it to 1, because a machine that stalls fails some
 * test of two thousand in most runs; each one is named with its error after the last line, as a fault to mend.
 */
export const retry = Number(process.env.HAILSTONE_RETRIES ?? 0)

/** Files that run before each test file. */
export const setupFiles = ['./fixed-seed.ts', './connect-again.ts'].map((file) =>
  fileURLToPath(new URL(file, import.meta.url)),
)

const common = defineConfig({
  test: {
    include: ['src/**/*.test.ts', 'test/**/*.test.ts'],
    environment: 'node',
    server: { deps: { external: [/\/(?:packages|apps)\/[^/]+\/dist\//] } },
    reporters: ['default', failedTests],
    setupFiles,
    retry,
    ...limits,
  },
})

/** Returns the settings of a package: the common ones with its own over them. Lists are joined. */
export const testSettings = (own: ViteUserConfig = {}): ViteUserConfig =>
  mergeConfig(mergeConfig(common, { ssr: { resolve: { conditions } } }), own)

/** Returns the settings of a package whose tests always take the sources of the others, too. */
export const sourceTestSettings = (own: ViteUserConfig = {}): ViteUserConfig =>
  mergeConfig(mergeConfig(common, { ssr: { resolve: { conditions: ofSources } } }), own)
