import { defineConfig } from 'vite'

/** Builds the partner's page: one script, apart from the app's chunks. */
export default defineConfig({
  build: {
    target: 'es2022',
    outDir: 'dist/wizard',
    modulePreload: false,
    rolldownOptions: { input: 'src/wizard/wizard.ts', output: { entryFileNames: 'wizard.js' } },
  },
})
