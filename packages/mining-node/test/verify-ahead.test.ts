import type { Worker } from 'node:worker_threads'
import { walletFromPrivateKey } from '@hailstone/client'
import {
  type Beacon,
  type Hash,
  offeredTransactionHash,
  parseServerMessage,
  sha256Hex,
} from '@hailstone/protocol'
import { expect, it } from 'vitest'
import { createVerifyAhead } from '../src/node/verify-ahead.ts'
import { makeBeacon, signedPayment } from './beacons.ts'
import { until } from './until.ts'

const { address } = walletFromPrivateKey(sha256Hex('miner'))
const FORGED = 150

/** A beacon in which one transaction carries the signature of another. */
function beaconOf(count: number): Beacon {
  const honest = Array.from({ length: count }, (_, nonce) => signedPayment(nonce))
  const [{ signature } = signedPayment(0)] = honest
  const transactions = honest.map((payment, at) => (at === FORGED ? { ...payment, signature } : payment))
  const message = parseServerMessage(makeBeacon({ publisher: address, nonce: 1, transactions }).text)
  if (message.kind !== 'beacon') throw new Error(`read as ${message.kind}`)
  return message.beacon
}

const hashesOf = ({ content }: Beacon): readonly Hash[] => content.transactions.map(offeredTransactionHash)

it('P-5: a thread verifies the last transactions of a long beacon first, and adds no forged one', async () => {
  const verifyAhead = createVerifyAhead()
  const beacon = beaconOf(200)
  const hashes = hashesOf(beacon)
  const verified = new Set<Hash>()
  verifyAhead(beacon, verified)
  await until(() => verified.size > 0, 'the thread answered')
  // The forged one is among the first 64 that are sent.
  const first = hashes.slice(-64).filter((hash) => hash !== hashes[FORGED])
  expect([...verified].slice(0, first.length)).toEqual(first.reverse())
  await until(() => {
    verifyAhead(beacon, verified)
    return verified.size === 199
  }, 'all were answered')
  expect(verified.has(hashes[FORGED] as Hash)).toBe(false)
})

/** Counts the threads that this process starts and that end. */
function countThreads() {
  const counts = { started: 0, ended: 0 }
  const count = (worker: Worker): void => {
    counts.started++
    worker.once('exit', () => counts.ended++)
  }
  process.on('worker', count)
  return { counts, [Symbol.dispose]: () => void process.off('worker', count) }
}

it('P-5: leaves a short beacon, and what is verified, to the session', async () => {
  using threads = countThreads()
  const verifyAhead = createVerifyAhead()
  verifyAhead(beaconOf(20), new Set())
  const long = beaconOf(200)
  verifyAhead(long, new Set(hashesOf(long)))
  const other = new Set<Hash>()
  verifyAhead(long, other)
  await until(() => other.size > 0, 'the thread answered')
  // The one that was opened for the transactions that nobody had verified.
  expect(threads.counts.started).toBe(1)
})

it('P-5: threads that end at once verify nothing, and after three of them there are no more', async () => {
  using threads = countThreads()
  const verifyAhead = createVerifyAhead(new URL('data:text/javascript,process.exit(1)'))
  const verified = new Set<Hash>()
  for (let thread = 1; thread <= 3; thread++) {
    verifyAhead(beaconOf(200), verified)
    await until(() => threads.counts.ended === thread, 'the thread ended')
  }
  verifyAhead(beaconOf(200), verified)
  expect(threads.counts).toEqual({ started: 3, ended: 3 })
  expect(verified.size).toBe(0)
})
