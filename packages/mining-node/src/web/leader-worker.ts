import { answerLeaderQuestion } from '../session/answer-leader-question.ts'
import type { LeaderQuestion } from '../session/leader-check.ts'

/** What a worker has of the page's names. */
type WorkerScope = {
  onmessage: ((event: { readonly data: LeaderQuestion }) => void) | null
  readonly postMessage: (answer: boolean) => void
}

const scope = globalThis as unknown as WorkerScope
scope.onmessage = ({ data }) => scope.postMessage(answerLeaderQuestion(data))
