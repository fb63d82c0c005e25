import { parentPort } from 'node:worker_threads'
import { defaultEcdsa } from '@hailstone/protocol'
import { findAcceleratedEcdsa } from '@hailstone/protocol/accelerated'
import type { AheadAnswers, AheadQuestions } from './verify-ahead.ts'

const { verifyText } = (await findAcceleratedEcdsa()) ?? defaultEcdsa

parentPort?.on('message', ({ id, questions }: AheadQuestions) => {
  const message: AheadAnswers = { id, answers: questions.map((question) => verifyText(question)) }
  parentPort?.postMessage(message)
})
