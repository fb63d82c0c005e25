import { defineConfig } from 'vite'
import { licences } from './licences.ts'

const { collect, emit } = licences()

/** Builds the partner's page: one script, apart from the app's chunks. */
export default defineConfig({
  plugins: [collect(), emit()],
  build: {
    target: 'es2022',
    outDir: 'dist/wizard',
    modulePreload: false,
    rolldownOptions: { input: 'src/wizard/wizard.ts', output: { entryFileNames: 'wizard.js' } },
  },
})
