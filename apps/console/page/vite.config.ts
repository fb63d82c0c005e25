import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vite'

export default defineConfig({
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  build: {
    outDir: fileURLToPath(new URL('../dist/page', import.meta.url)),
    emptyOutDir: true,
    target: 'es2022',
    // An import of a module inside of it would be a script that the policy of the page refuses.
    modulePreload: { polyfill: false },
  },
})
