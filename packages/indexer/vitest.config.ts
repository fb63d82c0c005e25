import { testSettings } from '../../scripts/vitest-settings.ts'

// No file changes what another one imports; PGlite and the indexer are loaded once.
export default testSettings({ test: { isolate: false } })
