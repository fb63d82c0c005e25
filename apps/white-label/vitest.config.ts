import { testSettings } from '../../scripts/vitest-settings.ts'

export default testSettings({
  test: {
    include: ['tools/**/*.test.ts'],
    // Other packages are tested beside these; `npm run test:browser`, which runs alone, takes two files at a time.
    fileParallelism: false,
  },
})
