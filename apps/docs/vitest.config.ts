import { defineConfig } from 'vitest/config'
import { failedTests } from '../../scripts/failed-tests.ts'
import { retry } from '../../scripts/vitest-settings.ts'

export default defineConfig({
  test: { testTimeout: 300_000, hookTimeout: 2_400_000, retry, reporters: ['default', failedTests] },
})
