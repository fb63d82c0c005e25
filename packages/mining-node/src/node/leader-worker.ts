import { parentPort } from 'node:worker_threads'
import { verifyLeaderSignature } from '@hailstone/protocol/leader'
import type { LeaderQuestion } from '../session/leader-check.ts'

parentPort?.on('message', (question: LeaderQuestion) => {
  parentPort?.postMessage(verifyLeaderSignature(question))
})
