import { parentPort } from 'node:worker_threads'
import { answerLeaderQuestion } from '../session/answer-leader-question.ts'
import type { LeaderQuestion } from '../session/leader-check.ts'

parentPort?.on('message', (question: LeaderQuestion) => {
  parentPort?.postMessage(answerLeaderQuestion(question))
})
