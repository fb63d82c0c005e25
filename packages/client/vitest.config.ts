import { testSettings } from '../../scripts/vitest-settings.ts'

export default testSettings({
  test: {
    setupFiles: ['test/support/watch-output.ts'],
    // No file changes what another one imports; the package and the local network are loaded once.
    isolate: false,
  },
})
