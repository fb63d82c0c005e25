import { inspect } from 'node:util'
import { MessageChannel, type MessagePort as NodePort, type Worker as NodeWorker } from 'node:worker_threads'
import {
  isNodeError,
  isTransactionSigned,
  keystoreError,
  NodeError,
  parseAddress,
  parseHash,
  paymentError,
  sha256Hex,
  type TransactionFields,
  toAmount,
  ZERO_TOKEN_ID,
} from '@hailstone/protocol'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createWorkerSigner, type WorkerSigner } from './create-worker-signer.ts'
import { serveSigner } from './serve-signer.ts'
import type { Signer } from './signer.ts'
import type { SignerPort } from './signer-port.ts'
import { walletFromPrivateKey } from './wallet-from-private-key.ts'

const wallet = walletFromPrivateKey(sha256Hex('worker signer'))
const to = parseAddress(`02${'ab'.repeat(32)}`)
const fields: TransactionFields = {
  amount: toAmount(2n ** 64n - 1n),
  data: 'memo',
  from: wallet.address,
  nonce: 7,
  tokenId: ZERO_TOKEN_ID,
  to,
}
const hash = parseHash('1f'.repeat(32))

let channel: MessageChannel
beforeEach(() => {
  channel = new MessageChannel()
})
afterEach(() => {
  channel.port1.close()
  channel.port2.close()
})

const connect = async (signer: Signer = wallet): Promise<WorkerSigner> => {
  serveSigner({ port: channel.port2, signer })
  return createWorkerSigner({ port: channel.port1 })
}
const errorOf = (asked: unknown): Promise<unknown> =>
  Promise.resolve(asked).then(
    () => undefined,
    (error: unknown) => error,
  )

// Whatever platforms call a worker, or a way to one, fits.
type Fitting = NodeWorker | NodePort | Worker | MessagePort extends SignerPort ? true : false
true satisfies Fitting

describe('a signer in a worker', () => {
  it('signs the three messages as the wallet itself does', async () => {
    const signer = await connect()
    expect(signer.address).toBe(wallet.address)
    const transaction = await signer.signTransaction(fields)
    expect(transaction).toStrictEqual(wallet.signTransaction(fields))
    expect(isTransactionSigned(transaction)).toBe(true)
    const hail = { host: 'gateway.example', tokenId: ZERO_TOKEN_ID, referralAgent: to }
    expect(await signer.signHail(hail)).toStrictEqual(wallet.signHail(hail))
    const publication = { microblockHash: hash, keyBlockHash: hash, tokenId: ZERO_TOKEN_ID }
    expect(await signer.signPublication(publication)).toStrictEqual(wallet.signPublication(publication))
  })

  it('answers many at once, each its own', async () => {
    const signer = await connect()
    const all = Array.from({ length: 50 }, (_, nonce) => ({ ...fields, nonce }))
    const signed = await Promise.all(all.map((each) => signer.signTransaction(each)))
    expect(signed).toStrictEqual(all.map((each) => wallet.signTransaction(each)))
  })

  it('refuses with the code and the facts of the wallet', async () => {
    const signer = await connect()
    const error = await errorOf(signer.signTransaction({ ...fields, data: 'ü' }))
    expect(isNodeError(error, 'MEMO_MALFORMED')).toBe(true)
    expect(await errorOf(signer.signHail({ host: 'a b', tokenId: ZERO_TOKEN_ID }))).toMatchObject({
      code: 'URL_REFUSED',
      facts: { url: 'a b' },
    })
  })

  it('S-1: does nothing else, whatever it is sent', async () => {
    const answers: unknown[] = []
    serveSigner({ port: channel.port2, signer: wallet })
    channel.port1.on('message', (message) => answers.push(message))
    const requests = ['exportPrivateKey', 'signText', 'sign', 'toString', '__proto__', 'constructor', 7, null]
    for (const request of requests) {
      channel.port1.postMessage({ hailstone: 'sign', id: 1, request, parameters: 'text' })
    }
    for (const other of [null, 5, 'sign', [], { hailstone: 'other', id: 1, request: 'address' }]) {
      channel.port1.postMessage(other)
    }
    channel.port1.postMessage({ hailstone: 'sign', id: 2, request: 'address', parameters: undefined })
    await expect.poll(() => answers.length).toBe(2)
    const answer = { hailstone: 'signed', result: wallet.address, derivesNonces: true }
    expect(answers).toStrictEqual([0, 2].map((id) => ({ ...answer, id })))
  })

  it('does not pass on what a foreign error says', async () => {
    const signer = await connect({ ...wallet, signHail: () => Promise.reject(new Error('secret words')) })
    const error = await errorOf(signer.signHail({ host: 'a', tokenId: ZERO_TOKEN_ID }))
    expect(isNodeError(error, 'SIGNER_FAILED')).toBe(true)
    // Reported by the worker, not by a timeout of ours.
    expect(error).toMatchObject({ facts: { reason: 'the worker failed' } })
    expect(inspect(error, { depth: 9 })).not.toContain('secret words')
  })

  it('passes on any error of ours, with code, facts and sentence', async () => {
    const reported = [
      keystoreError('KEYSTORE_LOCKED', { path: 'key.json', processId: 7 }),
      paymentError('PAYMENT_DECLINED', { reason: 'the device says no' }),
      new NodeError('URL_REFUSED', { url: 'http://a', reason: 'it is not https' }),
    ]
    const failing = [...reported]
    const signer = await connect({ ...wallet, signHail: () => Promise.reject(failing.shift()) })
    for (const { code, facts, message } of reported) {
      const error = await errorOf(signer.signHail({ host: 'a', tokenId: ZERO_TOKEN_ID }))
      expect(isNodeError(error, code)).toBe(true)
      expect(error).toMatchObject({ facts, message })
    }
  })

  it('refuses what is still asked when it is closed, or when the worker ends', async () => {
    const forever = { ...wallet, signTransaction: () => new Promise<never>(() => undefined) }
    const signer = await connect(forever)
    const asked = errorOf(signer.signTransaction(fields))
    signer.close()
    expect(await asked).toMatchObject({ code: 'SIGNER_FAILED' })
    const again = await createWorkerSigner({ port: channel.port1 })
    const askedAgain = errorOf(again.signTransaction(fields))
    channel.port2.close()
    expect(await askedAgain).toMatchObject({ code: 'SIGNER_FAILED' })
  })

  it('refuses to wait longer than it may', async () => {
    const silent = createWorkerSigner({ port: channel.port1, timeoutMs: 20 })
    expect(await errorOf(silent)).toMatchObject({ code: 'SIGNER_FAILED' })
  })

  it('leaves no listener behind when it is closed', async () => {
    const signer = await connect()
    const names = ['message', 'messageerror', 'error', 'exit', 'close']
    expect(channel.port1.listenerCount('message')).toBe(1)
    signer.close()
    expect(names.map((name) => channel.port1.listenerCount(name))).toStrictEqual([0, 0, 0, 0, 0])
  })
})
