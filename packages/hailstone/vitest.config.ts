import { testSettings } from '../../scripts/vitest-settings.ts'

// No file changes what another one imports; the command and the local network are loaded once.
export default testSettings({ test: { isolate: false } })
