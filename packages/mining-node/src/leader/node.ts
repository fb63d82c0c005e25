export { verifyLeader } from '../node/verify-leader.ts'
export type { LeaderQuestion, VerifyLeader } from '../session/leader-check.ts'
