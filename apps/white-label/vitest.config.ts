import { testSettings } from '../../scripts/vitest-settings.ts'

export default testSettings({
  // Unit tests see what the packages with the service have.
  define: { APP_MINES: 'true', APP_HAS_SERVICE: 'true' },
  test: {
    include: ['tools/**/*.test.ts'],
    // Turbo runs other packages beside these. `npm run test:browser` runs alone and takes two files at a time.
    fileParallelism: false,
  },
})
