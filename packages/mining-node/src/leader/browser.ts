export type { LeaderQuestion, VerifyLeader } from '../session/leader-check.ts'
export { verifyLeader } from '../web/verify-leader.ts'
