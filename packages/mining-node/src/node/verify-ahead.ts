import { Worker } from 'node:worker_threads'
import {
  type Hash,
  type OfferedTransaction,
  signingHashOfTexts,
  transactionHashOfTexts,
  type VerifiedHashes,
  type VerifyText,
} from '@hailstone/protocol'
import type { VerifyAhead } from '../session/newest-check.ts'

/** Compiled beside this file; the sources themselves are only run by tests, and then use the compiled one too. */
const workerUrl = new URL(
  import.meta.url.endsWith('.ts') ? '../../dist/node/verify-ahead-worker.js' : './verify-ahead-worker.js',
  import.meta.url,
)

/** Shorter beacons are verified before a thread has started. */
const HELPED_FROM = 64
/** Signatures of one message: some 15 ms of OpenSSL. */
const PART = 64
/** Messages under way, so that the thread has work until the session reads its sockets again. */
const PARTS_UNDER_WAY = 2
/** A thread that nobody asks is ended; the next long beacon opens another. */
const IDLE_MS = 30_000
/** After so many ends without an answer the platform is taken to have no threads. */
const FAILURES_LIMIT = 3

type Question = Parameters<VerifyText>[0]

/** A message to the thread, and its answer: true for each signature that is valid. */
export type AheadQuestions = { readonly id: number; readonly questions: readonly Question[] }
export type AheadAnswers = { readonly id: number; readonly answers: readonly boolean[] }

type Part = { readonly hashes: readonly Hash[]; readonly verified: VerifiedHashes }
/** The transactions of one beacon below this index were not sent yet. */
type Progress = { readonly transactions: readonly OfferedTransaction[]; end: number }

/** Makes the helper of all sessions of a process, with one thread. */
export function createVerifyAhead(url: URL = workerUrl): VerifyAhead {
  const progressOf = new WeakMap<VerifiedHashes, Progress>()
  /** By the number of their message, which no other thread of this helper had. */
  const underWay = new Map<number, Part>()
  let nextId = 0
  let thread: Worker | null = null
  let failures = 0
  let idle: NodeJS.Timeout | undefined

  function answered({ id, answers }: AheadAnswers): void {
    const part = underWay.get(id)
    underWay.delete(id)
    failures = 0
    for (const [at, hash] of (part?.hashes ?? []).entries()) {
      if (answers[at] === true) part?.verified.add(hash)
    }
  }

  function open(): Worker {
    const worker = new Worker(url, { argv: [], execArgv: [] })
    worker.unref()
    worker.on('message', answered)
    // Its end follows and is what counts.
    worker.on('error', () => undefined)
    worker.on('exit', () => {
      if (thread !== worker) return
      failures++
      forget()
    })
    return worker
  }

  /** Drops the parts under way; the session verifies them itself. */
  function forget(): void {
    thread = null
    underWay.clear()
  }

  function endIdle(): void {
    void thread?.terminate()
    forget()
  }

  return ({ content: { transactions } }, verified) => {
    if (transactions.length < HELPED_FROM || failures >= FAILURES_LIMIT) return
    let progress = progressOf.get(verified)
    if (progress?.transactions !== transactions) {
      progress = { transactions, end: transactions.length }
      progressOf.set(verified, progress)
    }
    while (underWay.size < PARTS_UNDER_WAY) {
      const { hashes, questions } = lastPart(progress, verified)
      if (questions.length === 0) return
      const id = nextId++
      const message: AheadQuestions = { id, questions }
      underWay.set(id, { hashes, verified })
      thread ??= open()
      thread.postMessage(message)
      clearTimeout(idle)
      idle = setTimeout(endIdle, IDLE_MS).unref()
    }
  }
}

/** Takes the last transactions that were neither sent nor verified. */
function lastPart(
  progress: Progress,
  verified: VerifiedHashes,
): { readonly hashes: readonly Hash[]; readonly questions: readonly Question[] } {
  const hashes: Hash[] = []
  const questions: Question[] = []
  while (questions.length < PART && progress.end > 0) {
    const offered = progress.transactions[--progress.end] as OfferedTransaction
    const hash = transactionHashOfTexts(offered)
    if (verified.has(hash)) continue
    const { signature, from: address } = offered
    hashes.push(hash)
    questions.push({ text: signingHashOfTexts(offered), signature, address })
  }
  return { hashes, questions }
}

/** One thread for the whole process. */
export const verifyAhead: VerifyAhead = createVerifyAhead()
