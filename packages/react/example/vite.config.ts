import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vite'

export default defineConfig({
  root: fileURLToPath(new URL('.', import.meta.url)),
  resolve: { alias: { '@hailstone/react': fileURLToPath(new URL('../dist/index.js', import.meta.url)) } },
  build: { outDir: fileURLToPath(new URL('dist', import.meta.url)), emptyOutDir: true },
})
