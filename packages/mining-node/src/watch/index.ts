export type { AccountWatch, AccountWatchParameters } from '../create-account-watch.ts'
export { createMemoryCursors } from '../cursors/cursor-store.ts'
export type { WatchHeightParameters } from '../watchers/watch-height.ts'
export type { WatchMissedReferralsParameters } from '../watchers/watch-missed-referrals.ts'
export {
  createAccountWatch,
  watchBalance,
  watchHeight,
  watchMissedReferrals,
  watchReferralRewards,
  watchRewards,
} from './named-watches.ts'
