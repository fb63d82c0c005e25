import { defineConfig } from 'vite'

/** The partner's page: one script, built apart so that it shapes no part of the app. */
export default defineConfig({
  build: {
    target: 'es2022',
    outDir: 'dist/wizard',
    modulePreload: false,
    rolldownOptions: { input: 'src/wizard/wizard.ts', output: { entryFileNames: 'wizard.js' } },
  },
})
