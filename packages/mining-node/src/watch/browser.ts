export type { AccountWatch, AccountWatchParameters } from '../create-account-watch.ts'
export { createMemoryCursors } from '../cursors/cursor-store.ts'
export type { WatchHeightParameters } from '../watchers/watch-height.ts'
export type { WatchMissedReferralsParameters } from '../watchers/watch-missed-referrals.ts'
export {
  createAccountWatch,
  watchHeight,
  watchMissedReferrals,
  watchReferralRewards,
  watchRewards,
} from './checked-watches.ts'
export { watchBalance } from './watch-one-of-many.ts'
