import {
  parseAddress,
  stringifyJson,
  type Transaction,
  toAmount,
  transactionHash,
  ZERO_TOKEN_ID,
} from '@hailstone/protocol'
import { describe, expect, it } from 'vitest'
import { type Scripted, scriptedTransport } from '../../test/support/scripted-transport.ts'
import { type Network, networkAt } from '../network.ts'
import {
  createClient,
  createWallet,
  defineNetwork,
  networks,
  type SendTransactionParameters,
  type SignedTransaction,
} from '../node.ts'

const wallet = createWallet()
const to = parseAddress(`02${'ab'.repeat(32)}`)
const payment = { wallet, to, amount: toAmount(5n) }
const gatewayUrl = 'ws://127.0.0.1:1'

/** Answer of a server without the endpoint. */
const NO_ROUTE: Scripted = { status: 404, text: '<html>Cannot GET /native_token</html>' }

/** A pool that takes everything, of a server that is too old to name its native token. */
function poolClient(
  network: Network = networks.bit,
  nativeToken: (count: number) => Scripted = () => NO_ROUTE,
) {
  let count = 0
  const posted: Record<string, unknown>[] = []
  const transport = scriptedTransport(({ path, method, body = '' }) => {
    if (path === '/native_token') return nativeToken(count++)
    if (method === 'GET') return ''
    const [entry] = JSON.parse(body)
    posted.push(entry)
    const { sign, ticker, amount, ...rest } = entry
    const transaction = { ...rest, amount: BigInt(amount), signature: sign, tokenId: ticker } as Transaction
    return stringifyJson({ err: 0n, result: [{ hash: transactionHash(transaction), status: 0n }] })
  })
  return { client: createClient({ network, transport }), transport, posted }
}

describe('sendTransaction', () => {
  it('makes every call a payment of its own, with a nonce out of all 2^53', async () => {
    const { client, posted } = poolClient()
    const sent = await Promise.all(Array.from({ length: 20 }, () => client.sendTransaction(payment)))
    expect(new Set(sent.map(({ hash }) => hash)).size).toBe(20)
    const nonces = posted.map(({ nonce }) => nonce as number)
    expect(nonces.every((nonce) => Number.isSafeInteger(nonce) && nonce >= 0)).toBe(true)
    expect(Math.max(...nonces)).toBeGreaterThan(2 ** 40)
  })

  const other = '7'.padStart(64, '0')
  const named = `{"hash":"${other}"}`
  const zeros = `{"hash":"${ZERO_TOKEN_ID}"}`

  it.each<[string, readonly Scripted[], readonly (string | null)[], number]>([
    ['a server without the endpoint at first', [NO_ROUTE, named], [null, other, other], 5],
    ['another chain at first', [`{"hash":"${networks.bit.nativeTokenId}"}`, named], [null, other, other], 5],
    ['another chain in between', [named, named, NO_ROUTE, named], [other, null, other], 5],
    ['another chain until then', [zeros, zeros, named], [ZERO_TOKEN_ID, null, other], 5],
  ])('signs native coins only in the token that two answers name: %s', async (_, answers, paid, count) => {
    const { client, transport, posted } = poolClient(networks.bit, (at) => answers[at] ?? named)
    const send = async () => {
      const before = posted.length
      await client.sendTransaction(payment).catch((error) => expect(error.code).toBe('RESPONSE_INVALID'))
      return posted[before]?.ticker ?? null
    }
    expect([await send(), await send(), await send()]).toStrictEqual(paid)
    expect(transport.requests.filter(({ path }) => path === '/native_token')).toHaveLength(count)
  })

  it.each<[string, Scripted]>([
    ['an empty body', ''],
    ['404 with its error object', { status: 404, text: '{"err":1,"message":"no"}' }],
  ])('signs no native coins where the network answers %s, and does once it names them', async (_, absent) => {
    for (const network of [networks.bit, { ...networkAt('http://127.0.0.1:1'), gatewayUrl }]) {
      const { client, posted } = poolClient(network, (count) => [absent, absent][count] ?? named)
      await expect(client.sendTransaction(payment)).rejects.toMatchObject({ code: 'RESPONSE_INVALID' })
      await expect(
        client.prepareTransaction({ from: wallet.address, to, amount: payment.amount }),
      ).rejects.toMatchObject({
        code: 'RESPONSE_INVALID',
        message: expect.stringContaining('it names no native token'),
      })
      await client.sendTransaction(payment)
      expect(posted.map(({ ticker }) => ticker)).toStrictEqual([other])
    }
  })

  it('never pays in an id that nobody chose', async () => {
    const apiUrl = 'http://127.0.0.1:1'
    for (const network of [
      { ...networkAt(apiUrl), gatewayUrl },
      defineNetwork({ name: 'mine', apiUrl, gatewayUrl }),
    ]) {
      const { client, posted } = poolClient(network)
      const refused = { code: 'HTTP_STATUS', facts: { status: 404 } }
      await expect(client.sendTransaction(payment)).rejects.toMatchObject(refused)
      await client.sendTransaction({ ...payment, tokenId: ZERO_TOKEN_ID })
      expect(posted.map(({ ticker }) => ticker)).toStrictEqual([ZERO_TOKEN_ID])
    }
    const chosen = defineNetwork({ name: 'mine', apiUrl, gatewayUrl, nativeTokenId: other })
    const { client, posted } = poolClient(chosen)
    await client.sendTransaction(payment)
    expect(posted.map(({ ticker }) => ticker)).toStrictEqual([other])
  })

  it('hands the signed bytes out before anything is sent, and waits', async () => {
    const { client, transport } = poolClient()
    const log: string[] = []
    const onSigned = async (signed: SignedTransaction) => {
      await new Promise((resolve) => setTimeout(resolve, 5))
      log.push(signed.hash, `${transport.requests.filter(({ method }) => method === 'POST').length} posts`)
    }
    const { hash } = await client.sendTransaction({ ...payment, onSigned })
    expect(log).toStrictEqual([hash, '0 posts'])
  })

  it('is cancelled also while the signed bytes are being stored, and sends nothing', async () => {
    const { client, posted } = poolClient()
    const leaving = new AbortController()
    const onSigned = () => {
      leaving.abort('left')
      return new Promise<void>(() => undefined)
    }
    await expect(client.sendTransaction({ ...payment, onSigned, signal: leaving.signal })).rejects.toBe(
      'left',
    )
    expect(posted).toStrictEqual([])
  })

  it('sends nothing when the signed bytes could not be stored', async () => {
    const { client, posted } = poolClient()
    const onSigned = () => Promise.reject(new Error('disk full'))
    await expect(client.sendTransaction({ ...payment, onSigned })).rejects.toThrow('disk full')
    expect(posted).toStrictEqual([])
  })

  it('sends nothing when a parameter is wrong', async () => {
    const { client, posted } = poolClient()
    const code = (change: Partial<SendTransactionParameters>) =>
      client.sendTransaction({ ...payment, ...change }).catch((error) => error.code)
    expect(await code({ to: wallet.referralCode as typeof to })).toBe('ADDRESS_MALFORMED')
    expect(await code({ amount: toAmount(0n) })).toBe('TRANSACTION_MALFORMED')
    expect(await code({ memo: 'ü' })).toBe('MEMO_MALFORMED')
    expect(await code({ nonce: -1 })).toBe('NONCE_OUT_OF_RANGE')
    expect(await code({ tokenId: 'ENQ' as typeof networks.bit.nativeTokenId })).toBe('TOKEN_ID_MALFORMED')
    expect(posted).toStrictEqual([])
  })
})
