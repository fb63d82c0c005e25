import { answerLeaderQuestion } from '../session/answer-leader-question.ts'
import type { LeaderQuestion } from '../session/leader-check.ts'

/** The globals of a page that a worker has. */
type WorkerScope = {
  onmessage: ((event: { readonly data: LeaderQuestion }) => void) | null
  readonly postMessage: (answer: boolean) => void
}

const scope = globalThis as unknown as WorkerScope
scope.onmessage = ({ data }) => scope.postMessage(answerLeaderQuestion(data))
