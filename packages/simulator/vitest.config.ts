import { testSettings } from '../../scripts/vitest-settings.ts'

export default testSettings({ test: { isolate: false } })
