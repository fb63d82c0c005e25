import { fileURLToPath } from 'node:url'
import { testSettings } from '../../scripts/vitest-settings.ts'

export default testSettings({
  // The example of the README names the package itself.
  resolve: { alias: { '@hailstone/mining-node': fileURLToPath(new URL('src/node.ts', import.meta.url)) } },
  // No file changes what another one imports; the package and the local network are loaded once.
  test: { isolate: false },
})
