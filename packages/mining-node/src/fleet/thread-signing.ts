import type { SessionClock } from '../session/clock.ts'
import type { FleetKeys, KeySequence } from './fleet-keys.ts'
import type { LoadedKey, MiningTerms, SignerPool } from './signer-pool.ts'
import { SigningThread, threadEnded } from './signing-thread.ts'
import type { SignatureQuestion } from './transaction-checks.ts'

/** Keys in one message. */
const CHUNK = 128
/** Signatures worth a message of their own. */
const QUESTIONS_AT_ONCE = 16
const RESTART_LEAST_MS = 1_000
const RESTART_CEILING_MS = 30_000

type Place = { thread: SigningThread | null; restarts: number; cancelRestart: (() => void) | null }

/**
 * Signs in worker threads. Key `i` lives in thread `i mod threads` and nowhere else; this thread only reads it on
 * its way. A thread that dies is replaced when the keys can be read again; its nodes fail until then, the others
 * do not notice.
 */
export function createThreadSigning(parameters: {
  readonly keys: FleetKeys
  readonly threads: number
  readonly terms: MiningTerms
  readonly clock: SessionClock
  readonly onThreadEnded: (willRestart: boolean) => void
}): SignerPool {
  const { terms, clock, onThreadEnded } = parameters
  const count = parameters.threads
  const readAgain = typeof parameters.keys === 'function' ? parameters.keys : null
  let firstReading: FleetKeys | null = parameters.keys
  let isStopped = false
  let nextVerifier = 0
  const places: Place[] = Array.from({ length: count }, () => ({
    thread: null,
    restarts: 0,
    cancelRestart: null,
  }))
  const threads = (): SigningThread[] => places.flatMap(({ thread }) => thread ?? [])

  function open(place: Place): SigningThread {
    const thread = new SigningThread({
      terms,
      onEnded: () => {
        if (place.thread !== thread) return
        place.thread = null
        if (!isStopped) replaceLater(place)
      },
    })
    place.thread = thread
    return thread
  }

  function replaceLater(place: Place): void {
    onThreadEnded(readAgain !== null)
    if (readAgain === null) return
    const delayMs = Math.min(RESTART_CEILING_MS, RESTART_LEAST_MS * 2 ** place.restarts++)
    place.cancelRestart = clock.after(delayMs, () => {
      const own = places.indexOf(place)
      open(place)
      // Their addresses are known; what fails now fails again when it is asked to sign.
      handOver(
        readAgain(),
        (index) => index % count === own,
        () => undefined,
      ).catch(() => undefined)
    })
  }

  async function handOver(
    keys: KeySequence,
    isWanted: (index: number) => boolean,
    onLoaded: (key: LoadedKey) => void,
  ): Promise<void> {
    const chunks = places.map((): [number, string][] => [])
    const underWay = new Set<Promise<void>>()
    const send = async (at: number): Promise<void> => {
      const chunk = chunks[at]?.splice(0) ?? []
      if (chunk.length === 0) return
      const sent = places[at]?.thread?.load(chunk, onLoaded) ?? Promise.resolve()
      underWay.add(sent)
      sent.finally(() => underWay.delete(sent)).catch(() => undefined)
      if (underWay.size > 2 * count) await Promise.race(underWay)
    }
    let index = 0
    for await (const text of keys) {
      const at = index % count
      if (isWanted(index)) chunks[at]?.push([index, text])
      if ((chunks[at]?.length ?? 0) >= CHUNK) await send(at)
      index++
    }
    for (const at of places.keys()) await send(at)
    await Promise.all(underWay)
  }

  async function load(onLoaded: (key: LoadedKey) => void): Promise<void> {
    const keys = firstReading
    firstReading = null
    if (keys === null) return
    for (const place of places) open(place)
    await handOver(typeof keys === 'function' ? await keys() : keys, () => true, onLoaded)
  }

  async function verify(questions: readonly SignatureQuestion[]): Promise<readonly boolean[]> {
    const parts: Promise<readonly boolean[]>[] = []
    for (let at = 0; at < questions.length; at += QUESTIONS_AT_ONCE) {
      const running = threads()
      const thread = running[nextVerifier++ % Math.max(1, running.length)]
      const part = questions.slice(at, at + QUESTIONS_AT_ONCE)
      parts.push(thread?.verify(part) ?? Promise.reject(threadEnded()))
    }
    return (await Promise.all(parts)).flat()
  }

  return {
    load,
    sign: (key, task, onSigned) => {
      const thread = places[key % count]?.thread
      if (thread) thread.sign(key, task, onSigned)
      else onSigned({ error: threadEnded() })
    },
    verify,
    counts: () => ({
      threads: threads().length,
      arithmetic: threads()[0]?.arithmetic ?? '',
      waiting: threads().reduce((sum, { waiting }) => sum + waiting, 0),
      signed: threads().reduce((sum, { signed }) => sum + signed, 0),
    }),
    stop: async () => {
      isStopped = true
      firstReading = null
      for (const { cancelRestart } of places) cancelRestart?.()
      await Promise.all(threads().map((thread) => thread.stop()))
    },
  }
}
