import { testSettings } from '../../scripts/vitest-settings.ts'

export default testSettings({ test: { globalSetup: ['test/support/pack-all.ts'] } })
