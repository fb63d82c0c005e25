import { testSettings } from '../../scripts/vitest-settings.ts'

export default testSettings({
  test: {
    include: ['tools/**/*.test.ts'],
    // Turbo runs other packages beside these. `npm run test:browser` runs alone and takes two files at a time.
    fileParallelism: false,
  },
})
