import { fileURLToPath } from 'node:url'
import { defineConfig, type Plugin } from 'vite'
import { licences } from './licences.ts'
import { requireCompleteLanguages } from './src/i18n/complete-languages.ts'

const { collect, emit } = licences()

const dictionaries = fileURLToPath(new URL('src/wizard/i18n', import.meta.url))

/** Stops the build if a language misses a word. */
const languages: Plugin = {
  name: 'complete-languages',
  buildStart: () => requireCompleteLanguages(dictionaries),
}

/** Builds the partner's page, and what the phones of its preview have beside the app: a script each. */
export default defineConfig({
  plugins: [languages, collect(), emit()],
  build: {
    target: 'es2022',
    outDir: 'dist/wizard',
    modulePreload: false,
    rolldownOptions: {
      input: {
        wizard: 'src/wizard/wizard.ts',
        'preview-engine': 'src/preview/engine.ts',
        'preview-page': 'src/preview/page.ts',
      },
      output: { entryFileNames: '[name].js' },
    },
  },
})
