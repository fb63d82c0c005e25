import {
  apiError,
  isNodeError,
  parseAddress,
  toAmount,
  transactionHash,
  ZERO_TOKEN_ID,
} from '@hailstone/protocol'
import { describe, expect, it } from 'vitest'
import { type Scripted, scriptedTransport } from '../../test/support/scripted-transport.ts'
import { createClient, walletFromPrivateKey } from '../node.ts'

const wallet = walletFromPrivateKey('1'.padStart(64, '0'))
const to = parseAddress(`02${'ab'.repeat(32)}`)
const transaction = wallet.signTransaction({
  amount: toAmount(5n),
  data: '',
  from: wallet.address,
  nonce: 7,
  tokenId: ZERO_TOKEN_ID,
  to,
})
const hash = transactionHash(transaction)
const accepted = `{"err":0,"result":[{"hash":"${hash}","status":0}]}`
const pendingEntry = `[{"hash":"${hash}","timeadded":"2026-01-01 00:00:00","amount":5,"from":"${wallet.address}","to":"${to}","nonce":7,"ticker":"${ZERO_TOKEN_ID}","data":"","sign":"${transaction.signature}"}]`

type Answers = {
  readonly post: () => Scripted
  readonly pending?: () => Scripted
  readonly tx?: () => Scripted
}

function send({ post, pending = () => '[]', tx = () => '' }: Answers, signal?: AbortSignal) {
  const transport = scriptedTransport((request) => {
    if (request.method === 'POST') return post()
    return request.path === '/pending_tx_hash' ? pending() : tx()
  })
  const client = createClient({ apiUrl: 'http://127.0.0.1:1', transport, retry: { maxAttempts: 1 } })
  const outcome = client.sendSignedTransaction({ transaction, signal }).catch((error) => error)
  return { outcome, requests: transport.requests }
}

const failing =
  (code: 'REQUEST_FAILED' | 'REQUEST_TIMEOUT', reason = 'the connection was reset') =>
  (): never => {
    throw code === 'REQUEST_FAILED'
      ? apiError(code, { path: '/tx', reason })
      : apiError(code, { path: '/tx', timeoutMs: 1 })
  }

describe('sendSignedTransaction', () => {
  it('gives the hash that the network confirms, in either letter case', async () => {
    const sent = { hash, transaction, status: 'pending' }
    expect(await send({ post: () => accepted }).outcome).toStrictEqual(sent)
    const upper = accepted.replace(hash, hash.toUpperCase())
    expect(await send({ post: () => upper }).outcome).toStrictEqual(sent)
  })

  it('posts a list with the amount as text, once', async () => {
    const { outcome, requests } = send({ post: () => accepted })
    await outcome
    expect(requests).toHaveLength(1)
    expect(JSON.parse(requests[0]?.body ?? '')).toStrictEqual([
      {
        amount: '5',
        data: '',
        from: wallet.address,
        nonce: 7,
        sign: transaction.signature,
        ticker: ZERO_TOKEN_ID,
        to,
      },
    ])
  })

  it('H5: takes "already in the pool" for success: the same bytes are the same payment', async () => {
    for (const message of ['TX is already in txpool', 'Transactions already exist in blockchain']) {
      const post = () => JSON.stringify({ err: 1, message })
      expect(await send({ post }).outcome).toMatchObject({ hash, status: 'pending' })
    }
  })

  it('passes a refusal on in the words of the network', async () => {
    const post = () => '{"err":1,"message":"Amount is out of range "}'
    const { outcome, requests } = send({ post })
    expect(await outcome).toMatchObject({
      code: 'TRANSACTION_REFUSED',
      facts: { message: 'Amount is out of range ', hash },
    })
    expect(requests).toHaveLength(1)
  })

  it('H4: raises an alarm when the network names another hash', async () => {
    const post = () => accepted.replace(hash, 'ab'.repeat(32))
    expect(await send({ post }).outcome).toMatchObject({
      code: 'TRANSACTION_HASH_DIFFERS',
      facts: { expected: hash, received: 'ab'.repeat(32) },
    })
  })

  const lost: readonly (readonly [string, () => Scripted])[] = [
    ['the connection is reset', failing('REQUEST_FAILED')],
    ['the answer is late', failing('REQUEST_TIMEOUT')],
    ...[202, 204, 302, 408, 409, 425, 429, 499, 500, 502, 503].map(
      (status) => [`a proxy answers ${status}`, () => ({ status, text: '' })] as const,
    ),
    ['202 has the answer of a pool', () => ({ status: 202, text: accepted })],
    ['the answer is a page', () => '<html>'],
    ['the answer is {}', () => '{}'],
    ['the answer accepts nothing', () => '{"err":0,"result":[]}'],
  ]

  describe.each(lost)('when %s', (_, post) => {
    it('K5: asks the network, which knows the hash: success without sending again', async () => {
      const { outcome, requests } = send({ post, pending: () => pendingEntry })
      expect(await outcome).toMatchObject({ hash, status: 'pending' })
      expect(requests.filter(({ method }) => method === 'POST')).toHaveLength(1)
    })

    it('says that it is uncertain and hands the bytes back when the network does not know the hash', async () => {
      const error = await send({ post }).outcome
      expect(error).toMatchObject({ code: 'TRANSACTION_UNCERTAIN', facts: { hash, transaction } })
      expect(isNodeError(error.cause)).toBe(true)
    })

    it('says that it is uncertain when the network cannot be asked', async () => {
      const gone = failing('REQUEST_FAILED')
      expect(await send({ post, pending: gone, tx: gone }).outcome).toMatchObject({
        code: 'TRANSACTION_UNCERTAIN',
      })
    })
  })

  it('is not uncertain when nothing has left this machine', async () => {
    const post = failing('REQUEST_FAILED', 'the connection was refused')
    const { outcome, requests } = send({ post })
    expect(await outcome).toMatchObject({ code: 'REQUEST_FAILED' })
    expect(requests).toHaveLength(1)
  })

  it('is not uncertain when the request was turned away', async () => {
    for (const status of [400, 401, 403, 404, 405, 413, 414, 415]) {
      const post = () => ({ status, text: '{"err":1,"message":"Something went wrong..."}' })
      expect(await send({ post }).outcome).toMatchObject({ code: 'HTTP_STATUS', facts: { status } })
    }
  })

  it('rejects with the reason of the caller who cancels', async () => {
    const controller = new AbortController()
    const post = (): never => {
      controller.abort('enough')
      throw 'enough'
    }
    expect(await send({ post }, controller.signal).outcome).toBe('enough')
  })
})
