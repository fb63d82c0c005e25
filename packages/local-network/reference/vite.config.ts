import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vite'

export default defineConfig({
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  build: {
    outDir: fileURLToPath(new URL('../dist/reference', import.meta.url)),
    emptyOutDir: true,
    target: 'es2022',
    rollupOptions: {
      input: fileURLToPath(new URL('main.tsx', import.meta.url)),
      // Two files of fixed names, which the node serves beside its page.
      output: { entryFileNames: 'reference.js', assetFileNames: 'reference.[ext]' },
    },
  },
})
