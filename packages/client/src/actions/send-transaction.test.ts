import { parseAddress, stringifyJson, type Transaction, toAmount, transactionHash } from '@hailstone/protocol'
import { describe, expect, it } from 'vitest'
import { scriptedTransport } from '../../test/support/scripted-transport.ts'
import {
  createClient,
  createWallet,
  networks,
  type SendTransactionParameters,
  type SignedTransaction,
} from '../node.ts'

const wallet = createWallet()
const to = parseAddress(`02${'ab'.repeat(32)}`)
const payment = { wallet, to, amount: toAmount(5n) }

/** A pool that takes everything and knows no native token. */
function poolClient(network = networks.bit) {
  const posted: Record<string, unknown>[] = []
  const transport = scriptedTransport(({ method, body = '' }) => {
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

  it('asks once which token is native; the preset stands in for a network that cannot tell', async () => {
    const { client, transport, posted } = poolClient()
    await client.sendTransaction(payment)
    await client.sendTransaction(payment)
    expect(posted.map(({ ticker }) => ticker)).toStrictEqual([
      networks.bit.nativeTokenId,
      networks.bit.nativeTokenId,
    ])
    expect(transport.requests.filter(({ path }) => path === '/native_token')).toHaveLength(1)
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
