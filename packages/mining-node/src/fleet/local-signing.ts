import {
  defaultEcdsa,
  type Ecdsa,
  type Hash,
  isNodeError,
  keystoreError,
  NodeError,
} from '@hailstone/protocol'
import type { SessionClock } from '../session/clock.ts'
import { isWallet } from '../session/signer.ts'
import type {
  FleetSigner,
  LoadedKey,
  MiningTerms,
  SignedFrame,
  SignerPool,
  SigningTask,
} from './signer-pool.ts'
import { writeFrame } from './write-frame.ts'

/** Signers in the order of their nodes; an error stands for an invalid key. */
export type LocalSigners = AsyncIterable<FleetSigner | NodeError> | Iterable<FleetSigner | NodeError>

type Order = {
  readonly key: number
  readonly task: SigningTask
  readonly onSigned: (frame: SignedFrame) => void
}

/** Longest time without looking at sockets and timers. */
const SLICE_MS = 8
const LOADED_AT_ONCE = 64
/** Time limit of one signature in ms, as for a node of its own; what comes later is dropped. */
const SIGNS_WITHIN_MS = 5_000

/** Signs on the main thread, in slices, so that sockets and timers are served in between. */
export function createLocalSigning(parameters: {
  readonly signers: LocalSigners
  readonly terms: MiningTerms
  readonly ecdsa?: Ecdsa | undefined
  /**
   * True if the signers may be foreign: signing twice may give two signatures, of which the first one is kept and sent
   * again, and a signature may not be valid.
   */
  readonly mayDiffer?: boolean | undefined
  readonly clock: Pick<SessionClock, 'after'>
}): SignerPool {
  const { terms, ecdsa = defaultEcdsa, mayDiffer = false } = parameters
  const newest = new Map<number, { readonly microblockHash: Hash; readonly text: string }>()
  let signers: (FleetSigner | NodeError)[] = []
  let queue: Order[] = []
  let isScheduled = false
  let signed = 0

  function write({ key, task }: Order): string | Promise<string> {
    const signer = signers[key] ?? keystoreError('SIGNER_FAILED', { reason: 'there is no such key' })
    if (signer instanceof NodeError) throw signer
    const isForeign = mayDiffer && !isWallet(signer)
    return writeFrame(signer, terms, task, isForeign ? ecdsa.verifyText : undefined)
  }

  function keep({ key, task }: Order, text: string): void {
    if (!mayDiffer || task.kind === 'hail') return
    newest.set(key, { microblockHash: task.microblockHash, text })
  }

  function kept({ key, task }: Order): string | undefined {
    const last = newest.get(key)
    return task.kind === 'publication' && last?.microblockHash === task.microblockHash ? last.text : undefined
  }

  function sign(order: Order): void {
    const { onSigned } = order
    const finish = (text: string): void => {
      signed++
      keep(order, text)
      onSigned({ text })
    }
    const fail = (error: unknown): void => onSigned({ error: signerFailure(error) })
    let written: string | Promise<string>
    try {
      written = kept(order) ?? write(order)
    } catch (error) {
      fail(error)
      return
    }
    if (typeof written === 'string') finish(written)
    else inTime(parameters.clock, written, finish, fail)
  }

  function work(): void {
    isScheduled = false
    const end = performance.now() + SLICE_MS
    let done = 0
    for (const order of queue) {
      done++
      sign(order)
      if (performance.now() > end) break
    }
    queue = queue.slice(done)
    schedule()
  }

  function schedule(): void {
    if (isScheduled || queue.length === 0) return
    isScheduled = true
    setImmediate(work)
  }

  async function load(onLoaded: (key: LoadedKey) => void): Promise<void> {
    for await (const signer of parameters.signers) {
      const index = signers.push(signer) - 1
      const isKey = !(signer instanceof NodeError)
      onLoaded(isKey ? { index, address: signer.address } : { index, error: signer })
      if (index % LOADED_AT_ONCE === LOADED_AT_ONCE - 1) await nextTurn()
    }
  }

  return {
    load,
    sign: (key, task, onSigned) => {
      queue.push({ key, task, onSigned })
      schedule()
    },
    verify: async (questions) => {
      const answers: boolean[] = []
      let end = performance.now() + SLICE_MS
      for (const question of questions) {
        if (performance.now() > end) {
          await nextTurn()
          end = performance.now() + SLICE_MS
        }
        answers.push(ecdsa.verifyText(question))
      }
      return answers
    },
    counts: () => ({ threads: 0, arithmetic: ecdsa.name, waiting: queue.length, signed }),
    stop: async () => {
      signers = []
      queue = []
      newest.clear()
    },
  }
}

const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

const tooLate = keystoreError('SIGNER_FAILED', { reason: `it did not answer within ${SIGNS_WITHIN_MS} ms` })

function inTime(
  clock: Pick<SessionClock, 'after'>,
  written: Promise<string>,
  finish: (text: string) => void,
  fail: (error: unknown) => void,
): void {
  const late = new Promise<never>((_, reject) => {
    const cancel = clock.after(SIGNS_WITHIN_MS, () => reject(tooLate))
    written.then(cancel, cancel)
  })
  Promise.race([written, late]).then(finish, fail)
}

/** Returns an error without the message of a foreign signer, which may contain secrets. */
const signerFailure = (error: unknown): NodeError =>
  isNodeError(error) ? error : keystoreError('SIGNER_FAILED', { reason: 'it threw' })
