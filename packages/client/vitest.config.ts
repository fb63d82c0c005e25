import { testSettings } from '../../scripts/vitest-settings.ts'

export default testSettings({ test: { setupFiles: ['test/support/watch-output.ts'] } })
