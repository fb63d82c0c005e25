import { Worker } from 'node:worker_threads'
import { type Address, keystoreError, type NodeError } from '@hailstone/protocol'
import { receiveError } from './fleet-keys.ts'
import type { LoadedKey, MiningTerms, SignedFrame, SigningTask } from './signer-pool.ts'
import type { ThreadAnswer, ThreadOrder, ThreadSettings } from './thread-messages.ts'
import type { SignatureQuestion } from './transaction-checks.ts'

/** Tasks a thread is given before it has answered: enough to keep it busy, few enough to lose little with it. */
const UNDER_WAY_LIMIT = 128
/** Tasks in one message, so that the first answers come while the last are being signed. */
const BATCH = 32

/** Error of requests to a thread that has ended. */
export const threadEnded = (): NodeError =>
  keystoreError('SIGNER_FAILED', { reason: 'the signing thread ended' })

/** Compiled beside this file; the sources themselves are only run by tests, and then use the compiled one too. */
const workerUrl = new URL(
  import.meta.url.endsWith('.ts') ? '../../dist/fleet/signing-worker.js' : './signing-worker.js',
  import.meta.url,
)

type WaitingTask = readonly [id: number, key: number, task: SigningTask]
type Verification = {
  readonly resolve: (answers: readonly boolean[]) => void
  readonly reject: (error: NodeError) => void
}
type Loading = {
  readonly onLoaded: (key: LoadedKey) => void
  readonly resolve: () => void
  readonly reject: (error: NodeError) => void
}

/** One worker thread from its start to its end. When it ends, pending requests are rejected. */
export class SigningThread {
  readonly #worker: Worker
  readonly #signings = new Map<number, (frame: SignedFrame) => void>()
  readonly #verifications = new Map<number, Verification>()
  readonly #loadings: Loading[] = []
  #waiting: WaitingTask[] = []
  #underWay = 0
  #nextId = 0
  #hasEnded = false
  #isFlushing = false
  arithmetic = ''
  signed = 0

  constructor({ terms, onEnded }: { readonly terms: MiningTerms; readonly onEnded: () => void }) {
    const workerData: ThreadSettings = { terms }
    this.#worker = new Worker(workerUrl, { workerData, argv: [], execArgv: [] })
    this.#worker.on('message', (given: ThreadAnswer) => this.#take(given))
    // Its words are not repeated anywhere: a thread that handles keys may have thrown one.
    this.#worker.on('error', () => undefined)
    this.#worker.on('exit', () => {
      this.#end()
      onEnded()
    })
  }

  get waiting(): number {
    return this.#signings.size
  }

  /** Hands keys over; resolves when each was answered. */
  load(keys: readonly (readonly [number, string])[], onLoaded: (key: LoadedKey) => void): Promise<void> {
    if (this.#hasEnded) return Promise.reject(threadEnded())
    this.#post({ type: 'keys', keys })
    return new Promise((resolve, reject) => this.#loadings.push({ onLoaded, resolve, reject }))
  }

  sign(key: number, task: SigningTask, onSigned: (frame: SignedFrame) => void): void {
    if (this.#hasEnded) {
      onSigned({ error: threadEnded() })
      return
    }
    const id = this.#nextId++
    this.#signings.set(id, onSigned)
    this.#waiting.push([id, key, task])
    this.#flushLater()
  }

  verify(questions: readonly SignatureQuestion[]): Promise<readonly boolean[]> {
    if (this.#hasEnded) return Promise.reject(threadEnded())
    const id = this.#nextId++
    this.#post({ type: 'verify', id, questions })
    return new Promise((resolve, reject) => this.#verifications.set(id, { resolve, reject }))
  }

  /** Nobody is answered any more. */
  async stop(): Promise<void> {
    this.#signings.clear()
    this.#waiting = []
    await this.#worker.terminate()
  }

  #post(order: ThreadOrder): void {
    this.#worker.postMessage(order)
  }

  #flushLater(): void {
    if (this.#isFlushing) return
    this.#isFlushing = true
    setImmediate(() => {
      this.#isFlushing = false
      this.#flush()
    })
  }

  #flush(): void {
    while (this.#waiting.length > 0 && this.#underWay < UNDER_WAY_LIMIT && !this.#hasEnded) {
      const tasks = this.#waiting.splice(0, Math.min(BATCH, UNDER_WAY_LIMIT - this.#underWay))
      this.#underWay += tasks.length
      this.#post({ type: 'sign', tasks })
    }
  }

  #take(given: ThreadAnswer): void {
    if (given.type === 'ready') this.arithmetic = given.arithmetic
    else if (given.type === 'loaded') this.#takeLoaded(given.addresses)
    else if (given.type === 'signed') this.#takeSigned(given.frames)
    else {
      this.#verifications.get(given.id)?.resolve(given.answers)
      this.#verifications.delete(given.id)
    }
  }

  #takeLoaded(addresses: Extract<ThreadAnswer, { type: 'loaded' }>['addresses']): void {
    const loading = this.#loadings.shift()
    if (loading === undefined) return
    for (const [index, answer] of addresses) {
      const isAddress = typeof answer === 'string'
      loading.onLoaded(
        isAddress ? { index, address: answer as Address } : { index, error: receiveError(answer) },
      )
    }
    loading.resolve()
  }

  #takeSigned(frames: Extract<ThreadAnswer, { type: 'signed' }>['frames']): void {
    this.#underWay -= frames.length
    this.#flush()
    for (const [id, answer] of frames) {
      const onSigned = this.#signings.get(id)
      this.#signings.delete(id)
      if (typeof answer === 'string') this.signed++
      onSigned?.(typeof answer === 'string' ? { text: answer } : { error: receiveError(answer) })
    }
  }

  #end(): void {
    this.#hasEnded = true
    for (const { reject } of this.#loadings.splice(0)) reject(threadEnded())
    for (const { reject } of this.#verifications.values()) reject(threadEnded())
    this.#verifications.clear()
    const signings = [...this.#signings.values()]
    this.#signings.clear()
    this.#waiting = []
    for (const onSigned of signings) onSigned({ error: threadEnded() })
  }
}
