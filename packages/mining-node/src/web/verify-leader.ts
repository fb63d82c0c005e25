import { sharedLeaderChecks, type VerifyLeader } from '../session/leader-check.ts'
import { createLeaderVerifier, type OpenLeaderThread } from '../session/leader-thread.ts'
import { verifyLeaderHere } from '../session/verify-leader-here.ts'

/** A dedicated worker; bundlers find its file by this very expression. */
const openLeaderThread: OpenLeaderThread = ({ answered, ended }) => {
  const worker = createWorker()
  if (worker === null) {
    queueMicrotask(ended)
    return { ask: () => undefined, end: () => undefined }
  }
  worker.onmessage = ({ data }) => answered(data === true)
  worker.onerror = () => {
    worker.terminate()
    ended()
  }
  return { ask: (question) => worker.postMessage(question), end: () => worker.terminate() }
}

/** Pages may be forbidden to have workers, and a bundler may not have found the file. */
function createWorker(): Worker | null {
  try {
    return new Worker(new URL('./leader-worker.js', import.meta.url), { type: 'module' })
  } catch {
    return null
  }
}

function later(delayMs: number, callback: () => void): () => void {
  const timer = setTimeout(callback, delayMs)
  return () => clearTimeout(timer)
}

/** One thread and one memory of answers for the whole page. */
export const verifyLeader: VerifyLeader = /* @__PURE__ */ sharedLeaderChecks(
  /* @__PURE__ */ createLeaderVerifier({ openThread: openLeaderThread, verifyHere: verifyLeaderHere, later }),
)
