/** Before anything was started; the same as the session says of itself. */
export const IDLE = {
  status: 'idle',
  why: 'not started',
  nextStep: 'Start mining.',
} as const
