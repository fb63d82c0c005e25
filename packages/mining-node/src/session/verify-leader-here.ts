import type { LeaderQuestion } from './leader-check.ts'

/** Verifies on this thread; the arithmetic is only loaded for that. */
export async function verifyLeaderHere(question: LeaderQuestion): Promise<boolean> {
  const { answerLeaderQuestion } = await import('./answer-leader-question.ts')
  return answerLeaderQuestion(question)
}
