import { createServer } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { openTlsFront, startLocalNetwork } from '@hailstone/local-network'
import { parseAmount, toAmount } from '@hailstone/protocol'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createClient, createMemoryJournal, createPayments, createWallet } from '../src/node.ts'

/** Not this machine, so that a proxy may be asked. */
const ELSEWHERE = 'api.example.test'

let network: Awaited<ReturnType<typeof startLocalNetwork>>
// As JavaScript sees it: nobody checks what is passed.
// biome-ignore lint/suspicious/noExplicitAny: that is what these tests are about
let client: any

beforeAll(async () => {
  network = await startLocalNetwork({ seed: 'diagnostics', allowHosts: [ELSEWHERE] })
  client = createClient({ apiUrl: network.apiUrl })
})
afterAll(async () => {
  await client?.close()
  await network?.stop()
})

describe('what a program in JavaScript passes', () => {
  const address = `02${'ab'.repeat(32)}`

  it.each([
    [
      'an address of another chain',
      () => client.getBalance({ address: `0x${'ab'.repeat(20)}` }),
      /address should be an address.*0xab/,
    ],
    [
      'an address without its object',
      () => client.getBalance(address),
      /of getBalance should be an object.*found the text/,
    ],
    ['an empty object', () => client.getBalance({}), /address should be .*found nothing/],
    ['nothing', () => client.getBalance(), /address should be .*found nothing/],
    [
      'a symbol for a token',
      () => client.getToken({ tokenId: 'HAIL' }),
      /tokenId should be a token id.*"HAIL"/,
    ],
    ['a symbol for a token of a balance', () => client.getBalance({ address, tokenId: 'HAIL' }), /tokenId/],
    [
      'a height as text',
      () => client.getMacroblock({ height: '3' }),
      /height should be a whole number.*the text "3"/,
    ],
    ['a height below zero', () => client.getMacroblock({ height: -1 }), /height should be .*number -1/],
    ['a malformed hash', () => client.getTransaction({ hash: 'not a hash' }), /hash should be a hash/],
    ['an invalid page', () => client.getRewards({ address, page: 1.5 }), /page should be a whole number/],
  ])('is refused by its name, with what was found and what is expected: %s', async (_, call, sentence) => {
    const error = await Promise.resolve()
      .then(call)
      .catch((caught: unknown) => caught)
    expect(error).toMatchObject({ code: 'ARGUMENT_INVALID', message: expect.stringMatching(sentence) })
  })

  it('is refused before anything is requested', async () => {
    const requests: string[] = []
    const transport = {
      request: ({ path }: { readonly path: string }) => {
        requests.push(path)
        throw new Error('nobody is there')
      },
    }
    // biome-ignore lint/suspicious/noExplicitAny: as JavaScript sees it
    const away: any = createClient({ apiUrl: network.apiUrl, transport: transport as never })
    const wallet = createWallet()
    const payment = { from: address, to: address, amount: 25n }
    const calls: readonly (readonly [call: () => unknown, code: string])[] = [
      [() => away.prepareTransaction({ ...payment, amount: 25 }), 'AMOUNT_OUT_OF_RANGE'],
      [() => away.prepareTransaction({ ...payment, amount: '25' }), 'AMOUNT_OUT_OF_RANGE'],
      [() => away.prepareTransaction({ ...payment, amount: 0n }), 'TRANSACTION_MALFORMED'],
      [() => away.prepareTransaction({ ...payment, to: '0x1' }), 'ADDRESS_MALFORMED'],
      [() => away.prepareTransaction({ ...payment, memo: 'ü' }), 'MEMO_MALFORMED'],
      [() => away.prepareTransaction({ ...payment, tokenId: 'HAIL' }), 'TOKEN_ID_MALFORMED'],
      [() => away.prepareTransaction({ ...payment, nonce: -1 }), 'NONCE_OUT_OF_RANGE'],
      [() => away.prepareTransaction({}), 'AMOUNT_OUT_OF_RANGE'],
      [() => away.sendTransaction({ ...payment, wallet, amount: 25 }), 'AMOUNT_OUT_OF_RANGE'],
      [() => away.sendTransaction({ ...payment, wallet, to: '0x1' }), 'ADDRESS_MALFORMED'],
      [() => away.sendTransaction(payment), 'ARGUMENT_INVALID'],
      [() => away.sendSignedTransaction({}), 'ARGUMENT_INVALID'],
      [() => away.getTransaction({ hash: '0x' }), 'ARGUMENT_INVALID'],
      [() => away.waitForTransaction({ hash: 'x' }), 'ARGUMENT_INVALID'],
      [() => away.getRecordsOfHash({}), 'ARGUMENT_INVALID'],
      [() => away.requestTestCoins({ address: '0x1' }), 'ARGUMENT_INVALID'],
      [() => away.getExpectedReturn({ stake: 25 }), 'ARGUMENT_INVALID'],
      [() => away.walkChain({ from: 5 }).next(), 'ARGUMENT_INVALID'],
      [() => away.walkChain({ fromHeight: 0, toHeight: '5' }).next(), 'ARGUMENT_INVALID'],
    ]
    for (const [call, code] of calls) await expect(call(), String(call)).rejects.toMatchObject({ code })
    expect(requests).toStrictEqual([])
  })

  it('is refused by payments', async () => {
    const journal = createMemoryJournal()
    // biome-ignore lint/suspicious/noExplicitAny: as JavaScript sees it
    const open: any = createPayments
    await expect(open({ journal })).rejects.toThrow('client should be a client')
    await expect(open({ client })).rejects.toThrow('journal should be a journal')
    const forgotten = Promise.resolve(journal)
    await expect(open({ client, journal: forgotten })).rejects.toThrow('await openFileJournal({ path })')
    await using payments = await open({ client, journal, wallet: createWallet() })
    const payment = { to: address, amount: 25n }
    await expect(payments.pay()).rejects.toThrow('of pay should be an object')
    await expect(payments.pay({ ...payment, feeCap: { units: 5 } })).rejects.toThrow(
      "feeCap.units should be a bigint, such as 25n or parseAmount('25', token); found number 5",
    )
    await expect(payments.pay({ ...payment, amount: 25 })).rejects.toThrow('such as 25n')
    expect(() => payments.subscribe('settled')).toThrow('listener should be a function')
  })

  it('is refused before an iteration begins', async () => {
    const read = async (): Promise<unknown> => (await client.rewardsOf({ address: 'me' }).next()).value
    await expect(read()).rejects.toMatchObject({ code: 'ARGUMENT_INVALID' })
  })

  it('names how to write an amount that is a number or a text', () => {
    expect(() => toAmount(25 as never)).toThrow(
      "a bigint of 0 to 18446744073709551615 units, such as 25n or parseAmount('25', token)",
    )
    expect(parseAmount('25', { decimals: 10 })).toBe(250_000_000_000n)
  })

  it('is refused when a client is made of nothing', () => {
    expect(() => createClient(undefined as never)).toThrow(/of createClient should be an object/)
  })
})

describe('an error of the network says where it asked', () => {
  it('with the whole address and the arguments', async () => {
    const { hash } = { hash: 'ab'.repeat(32) }
    const away = createClient({ apiUrl: 'http://127.0.0.1:9/api/v1', retry: { maxAttempts: 1 } })
    await expect(away.getTransaction({ hash: hash as never })).rejects.toMatchObject({
      code: 'REQUEST_FAILED',
      message: expect.stringContaining(`http://127.0.0.1:9/api/v1/tx?hash=${hash}`),
    })
    await away.close()
  })

  it('and asks whether the address is whole where nothing is there', async () => {
    const { origin } = new URL(network.apiUrl)
    await using short = createClient({ apiUrl: origin })
    await expect(short.getHeight()).rejects.toMatchObject({
      code: 'HTTP_STATUS',
      message: `The network answered 404 to ${origin}/height. Does the address of the API end in /api/v1?`,
    })
  })

  it('and that it is a gateway where it is one', async () => {
    await using wrong = createClient({ apiUrl: network.gatewayUrl.replace('ws:', 'http:') })
    await expect(wrong.getHeight()).rejects.toThrow('This is a gateway: pass it as gatewayUrl')
  })

  it.each(['127.0.0.1:4410/api/v1', 'localhost:4410/api/v1', 'example.org/api/v1', '[::1]:4410'])(
    'and that %s has no scheme',
    (apiUrl) => {
      expect(() => createClient({ apiUrl })).toThrow(
        `The address "${apiUrl}" is not used: it has no scheme, such as https://`,
      )
    },
  )

  it('and repeats no key that was passed as an address', () => {
    expect(() => createClient({ apiUrl: 'ab'.repeat(32) })).toThrow('The address "(unreadable)" is not used')
  })

  it('and how an authority of its own is named where nobody knows the certificate', async () => {
    await using front = await openTlsFront({ to: network.apiUrl, certificate: 'selfSigned' })
    await using strict = createClient({ apiUrl: front.url, retry: { maxAttempts: 1 } })
    await expect(strict.getHeight()).rejects.toMatchObject({
      code: 'REQUEST_FAILED',
      message: expect.stringContaining('NODE_EXTRA_CA_CERTS'),
    })
  })

  it('and passes a mistake of a program on as it is', async () => {
    const transport = { request: () => (undefined as never as { dispatch: () => never }).dispatch() }
    await using broken = createClient({ apiUrl: network.apiUrl, transport: transport as never })
    await expect(broken.getHeight()).rejects.toBeInstanceOf(TypeError)
  })
})

/** A server that says its height and remembers under which hosts it was asked. */
function hostServer() {
  const named: string[] = []
  const server = createServer(({ headers }, response) => {
    named.push(headers.host ?? '')
    response.end('{"height":7}')
  })
  const url = (): string => `http://127.0.0.1:${(server.address() as AddressInfo).port}/api/v1`
  return {
    named,
    url,
    listen: () => new Promise<string>((resolve) => server.listen(0, '127.0.0.1', () => resolve(url()))),
    close: () => new Promise((resolve) => server.close(resolve)),
  }
}

it('the proxy that the environment names is asked, and this machine never through one', async () => {
  const asked: string[] = []
  const hosts = hostServer()
  const sockets = new Set<Socket>()
  const proxy = createServer().on('connect', ({ url = '' }, socket: Socket) => {
    asked.push(url)
    const target = connect({ host: '127.0.0.1', port: Number(new URL(network.apiUrl).port) })
    for (const one of [socket, target]) sockets.add(one.on('error', () => undefined))
    target.once('connect', () => {
      socket.write('HTTP/1.1 200 Connection established\r\n\r\n')
      socket.pipe(target).pipe(socket)
    })
  })
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve))
  const before = { ...process.env }
  process.env.HTTP_PROXY = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`
  try {
    const apiUrl = `http://${ELSEWHERE}/api/v1`
    await using proxied = createClient({ apiUrl, allowInsecure: true })
    expect(await proxied.getHeight()).toBeTypeOf('number')
    expect(asked).toStrictEqual([`${ELSEWHERE}:80`])
    await using here = createClient({ apiUrl: network.apiUrl })
    expect(await here.getHeight()).toBeTypeOf('number')
    expect(asked).toHaveLength(1)
    // What was written into the headers of the proxied request stays there.
    await using other = createClient({ apiUrl: await hosts.listen() })
    await other.getHeight()
    expect(hosts.named).toStrictEqual([new URL(hosts.url()).host])
  } finally {
    await hosts.close()
    if (before.HTTP_PROXY === undefined) delete process.env.HTTP_PROXY
    else process.env.HTTP_PROXY = before.HTTP_PROXY
    for (const one of sockets) one.destroy()
    await new Promise((resolve) => proxy.close(resolve))
  }
})
