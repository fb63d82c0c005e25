import { fileURLToPath } from 'node:url'
import { sourceTestSettings } from '../../scripts/vitest-settings.ts'

// The journeys count the modules of every package.
export default sourceTestSettings({
  // The example of the README names the package itself.
  resolve: { alias: { '@hailstone/mining-node': fileURLToPath(new URL('src/node.ts', import.meta.url)) } },
  // No file changes what another one imports; the package and the local network are loaded once.
  test: { isolate: false },
})
