import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vite'

export default defineConfig({
  resolve: { conditions: ['@hailstone/source', 'browser', 'module', 'import', 'default'] },
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  build: {
    target: 'es2022',
    rollupOptions: {
      input: fileURLToPath(new URL('src/main.tsx', import.meta.url)),
      // Two files of fixed names, which the local network copies and serves beside its page.
      output: { entryFileNames: 'explorer.js', assetFileNames: 'explorer.[ext]' },
    },
  },
})
