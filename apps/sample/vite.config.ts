import { defineConfig } from 'vite'

// `source.txt` is the source of this app, to which the screen links.
export default defineConfig({
  build: { target: 'es2022', sourcemap: true },
  plugins: [
    {
      name: 'own-source',
      async buildStart() {
        const { readFile } = await import('node:fs/promises')
        const files = ['main.ts', 'kept-key.ts'].map((name) => new URL(`src/${name}`, import.meta.url))
        const sources = await Promise.all(files.map((file) => readFile(file, 'utf8')))
        const source = sources.join('\n')
        if (this.meta.watchMode !== true) this.emitFile({ type: 'asset', fileName: 'source.txt', source })
      },
    },
  ],
})
