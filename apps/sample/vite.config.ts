import { defineConfig } from 'vite'

// `source.txt` is the source of this app, to which the screen links.
export default defineConfig({
  build: { target: 'es2022', sourcemap: true },
  plugins: [
    {
      name: 'own-source',
      async buildStart() {
        const { readFile } = await import('node:fs/promises')
        const source = await readFile(new URL('src/main.ts', import.meta.url), 'utf8')
        if (this.meta.watchMode !== true) this.emitFile({ type: 'asset', fileName: 'source.txt', source })
      },
    },
  ],
})
