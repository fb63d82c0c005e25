export { watchBalance } from './watch-balance.ts'
export { watchHeight } from './watch-height.ts'
export { watchReferralRewards } from './watch-referral-rewards.ts'
export { watchRewards } from './watch-rewards.ts'
