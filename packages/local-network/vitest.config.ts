import { sourceTestSettings } from '../../scripts/vitest-settings.ts'

// Counted statements are those of one copy of the database package.
export default sourceTestSettings({
  test: {
    // An answer that is not as the reference describes it ends the run.
    env: { HAILSTONE_VALIDATE_ANSWERS: '1' },
    // No file changes what another one imports; the database and the interface are loaded once.
    isolate: false,
    // Much of it waits for sockets and processes, so two at a time take half as long on two cores.
    maxWorkers: 2,
  },
})
