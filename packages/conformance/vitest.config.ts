import { testSettings } from '../../scripts/vitest-settings.ts'

export default testSettings({
  test: {
    // An answer that does not match the reference ends the run.
    env: { HAILSTONE_VALIDATE_ANSWERS: '1' },
    isolate: false,
  },
})
