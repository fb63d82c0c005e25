import { testSettings } from '../../scripts/vitest-settings.ts'

// No file changes what another one imports; the renderer and the schemas are loaded once.
export default testSettings({ test: { isolate: false } })
