import { testSettings } from '../../scripts/vitest-settings.ts'

export default testSettings({
  test: {
    // An answer that is not as the reference describes it ends the run.
    env: { HAILSTONE_VALIDATE_ANSWERS: '1' },
    isolate: false,
  },
})
