import type { LeaderQuestion } from './leader-check.ts'

/** Verifies on this thread; the arithmetic is only loaded for that. */
export async function verifyLeaderHere(question: LeaderQuestion): Promise<boolean> {
  const { verifyLeaderSignature } = await import('@hailstone/protocol/leader')
  return verifyLeaderSignature(question)
}
