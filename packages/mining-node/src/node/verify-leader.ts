import { Worker } from 'node:worker_threads'
import { sharedLeaderChecks, type VerifyLeader } from '../session/leader-check.ts'
import { createLeaderVerifier, type OpenLeaderThread } from '../session/leader-thread.ts'
import { verifyLeaderHere } from '../session/verify-leader-here.ts'

/** Compiled beside this file; the sources themselves are only run by tests, and then use the compiled one too. */
const workerUrl = new URL(
  import.meta.url.endsWith('.ts') ? '../../dist/node/leader-worker.js' : './leader-worker.js',
  import.meta.url,
)

/** A worker thread that keeps no process alive. */
export const openLeaderThread =
  (url: URL = workerUrl): OpenLeaderThread =>
  ({ answered, ended }) => {
    const worker = new Worker(url, { argv: [], execArgv: [] })
    worker.unref()
    worker.on('message', answered)
    // Its end follows and is what counts.
    worker.on('error', () => undefined)
    worker.on('exit', ended)
    return {
      ask: (question) => worker.postMessage(question),
      end: () => {
        worker.off('exit', ended)
        void worker.terminate()
      },
    }
  }

function laterUnreferenced(delayMs: number, callback: () => void): () => void {
  const timer = setTimeout(callback, delayMs).unref()
  return () => clearTimeout(timer)
}

/** One thread and one memory of answers for the whole process. */
export const verifyLeader: VerifyLeader = sharedLeaderChecks(
  createLeaderVerifier({
    openThread: openLeaderThread(),
    verifyHere: verifyLeaderHere,
    later: laterUnreferenced,
  }),
)
