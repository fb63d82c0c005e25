export {
  type AccountWatch,
  type AccountWatchParameters,
  createAccountWatch,
} from '../create-account-watch.ts'
export { createMemoryCursors } from '../watchers/cursor-store.ts'
export { watchBalance } from '../watchers/watch-balance.ts'
export { type WatchHeightParameters, watchHeight } from '../watchers/watch-height.ts'
export {
  type WatchMissedReferralsParameters,
  watchMissedReferrals,
} from '../watchers/watch-missed-referrals.ts'
export { watchReferralRewards } from '../watchers/watch-referral-rewards.ts'
export { watchRewards } from '../watchers/watch-rewards.ts'
