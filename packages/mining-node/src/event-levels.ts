/** Every event, and at which level a log has it. */
export const levels = {
  started: 'info',
  connected: 'info',
  hailed: 'debug',
  beaconReceived: 'debug',
  beaconRefused: 'warn',
  published: 'info',
  included: 'info',
  rewarded: 'info',
  referralRewarded: 'info',
  reverted: 'warn',
  referralMissed: 'info',
  balanceChanged: 'info',
  heightChanged: 'debug',
  disconnected: 'warn',
  stopped: 'info',
  failed: 'warn',
} as const
