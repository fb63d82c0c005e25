import { masterPublicKeys, verifyLeaderSignature } from '@hailstone/protocol/leader'
import type { LeaderQuestion } from './leader-check.ts'

/** The arithmetic; only imported where it is done, which is a thread of its own wherever there can be one. */
export function answerLeaderQuestion(question: LeaderQuestion): boolean {
  const { masterPublicKey: key } = question
  const masterPublicKey = typeof key === 'string' ? masterPublicKeys[key] : key
  return verifyLeaderSignature({ ...question, masterPublicKey })
}
