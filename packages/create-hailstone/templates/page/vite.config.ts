import { defineConfig } from 'vite'

export default defineConfig({
  // Vite looks through the page alone; what it finds later in the worker would make it load the page again.
  optimizeDeps: { entries: ['index.html', 'src/miner-worker.ts'] },
})
