import {
  apiError,
  flippedSignature,
  readTransactionBody,
  toAmount,
  transactionHash,
} from '@hailstone/protocol'
import { describe, expect, it } from 'vitest'
import { ModelNetwork } from '../../test/support/model-network.ts'
import {
  amount,
  BLOCK_MS,
  codeOf,
  order,
  program,
  receiver,
  twoHistories,
  wallet,
  withoutNonces,
} from '../../test/support/payment-program.ts'
import { virtualClock } from '../../test/support/virtual-clock.ts'
import { journalWriteFailed } from '../node.ts'
import { createFailoverTransport } from '../transport/failover-transport.ts'
import { createMemoryJournal } from './memory-journal.ts'
import type { PaymentHandle } from './payment-info.ts'
import type { PaymentSummary } from './payment-summary.ts'

const otherOrigin = `{"kblock":{"hash":"OTHERGENESIS","n":0,"time":1,"publisher":"02${'33'.repeat(32)}","nonce":0,"link":"OTHERGENESIS","sprout":"OTHERGENESIS","m_root":"","reward":null,"target_diff":1},"mblocks":[],"sblocks":[]}`

describe('an order', () => {
  it('is the same bytes from every journal and from none, and is executed once', async () => {
    const network = new ModelNetwork()
    const first = await program(network)
    const paid = await first.pay(order(1))
    await first.settled(paid)
    const second = await program(network)
    const again = await second.pay(order(1))
    expect(again.hash).toBe(paid.hash)
    expect(await second.settled(again)).toMatchObject({ status: 'confirmed', isFinal: true })
    expect(network.executed().get('order 1')).toBe(1)
    // It was found in the chain before anything was sent.
    expect(network.posted).toHaveLength(1)
  })

  it('whose copy with another signature was executed is found from an empty journal, and not sent beside it', async () => {
    const network = new ModelNetwork()
    const first = await program(network)
    network.postFault = 'sends a malleated copy'
    expect(await first.settled(await first.pay(order(1)))).toMatchObject({ status: 'superseded' })
    const second = await program(network)
    expect(await second.settled(await second.pay(order(1)))).toMatchObject({
      status: 'superseded',
      isFinal: true,
    })
    expect(network.executed().get('order 1')).toBe(1)
  })

  it('with the bytes of another one takes the next nonce', async () => {
    const deriveNonce = ({ attempt = 0 }) => 7 + attempt
    const network = new ModelNetwork()
    const { pay, settled } = await program(network, { wallet: { ...wallet, deriveNonce } })
    const both = [
      await pay({ idempotencyKey: 'a', memo: 'rent' }),
      await pay({ idempotencyKey: 'b', memo: 'Rent' }),
    ]
    expect(new Set(both.map(({ hash }) => hash)).size).toBe(2)
    for (const payment of both) expect(await settled(payment)).toMatchObject({ status: 'confirmed' })
    const nonces = network.posted.map((body) => readTransactionBody(body)?.nonce)
    expect(new Set(nonces)).toStrictEqual(new Set([7, 8]))
    const stubborn = await program(network, { wallet: { ...wallet, deriveNonce: () => 9 } })
    await stubborn.pay({ idempotencyKey: 'c', memo: 'equal' })
    expect(await codeOf(stubborn.pay({ idempotencyKey: 'd', memo: 'equal' }))).toBe('PAYMENT_ALTERED')
  })

  it.each([
    ['at once', undefined],
    ['at once, each with a consent', () => true],
  ])('with the bytes of another one takes the next nonce: %s', async (_, consent) => {
    const deriveNonce = ({ attempt = 0 }) => 7 + attempt
    const network = new ModelNetwork()
    const { payments, within, settled } = await program(network, { wallet: { ...wallet, deriveNonce } })
    const pay = (idempotencyKey: string) => payments.pay({ to: receiver, amount, idempotencyKey, consent })
    const all = await within(Promise.all(['a', 'b', 'c'].map(pay)))
    for (const payment of all) expect(await settled(payment)).toMatchObject({ status: 'confirmed' })
    expect(new Set(all.map(({ hash }) => hash)).size).toBe(3)
  })

  it('has one form: letter case of the address, token left out or named, memo left out or empty', async () => {
    const network = new ModelNetwork()
    const { pay, payments } = await program(network)
    const { id } = await pay({ idempotencyKey: 'k', memo: undefined })
    const to = receiver.toUpperCase() as typeof receiver
    const native = '0'.repeat(64) as never
    for (const same of [{ to }, { tokenId: native }, { memo: '' }, { to, tokenId: native }])
      expect((await pay({ idempotencyKey: 'k', ...same })).id).toBe(id)
    const other = { tokenId: 'ab'.repeat(32) as never }
    expect(await codeOf(pay({ idempotencyKey: 'k', ...other }))).toBe('PAYMENT_CONFLICT')
    expect(await codeOf(pay({ idempotencyKey: '' }))).toBe('ARGUMENT_INVALID')
    const upper = { ...wallet, address: wallet.address.toUpperCase() as typeof receiver }
    expect(await codeOf(pay({ idempotencyKey: 'k', wallet: upper }))).toBe('ARGUMENT_INVALID')
    expect(payments.list()).toHaveLength(1)
  })

  it('has one form also while it is made: token left out or named', async () => {
    const network = new ModelNetwork()
    const { payments, within } = await program(network)
    const pay = (tokenId?: string) => codeOf(payments.pay({ to: receiver, amount, tokenId, ...order(1) }))
    const codes = await within(Promise.all([pay(), pay('0'.repeat(64)), pay('ab'.repeat(32)), pay()]))
    expect(codes).toStrictEqual(['no error', 'no error', 'PAYMENT_CONFLICT', 'no error'])
    expect(payments.list()).toHaveLength(1)
  })

  it('that waits under the random nonce of a lost journal is not paid again', async () => {
    const network = new ModelNetwork()
    const lost = await program(network, { wallet: withoutNonces })
    const payment = await lost.pay(order(1))
    await lost.until(() => payment.state.status === 'inPool')
    await lost.payments.close()
    const { pay, blocks } = await program(network)
    expect(await codeOf(pay(order(1)))).toBe('JOURNAL_BEHIND')
    await blocks(4)
    expect(network.executed().get('order 1')).toBe(1)
  })

  it('is kept for the other caller when one of two cancels', async () => {
    const network = new ModelNetwork()
    const { payments, within, settled } = await program(network)
    const cancelling = new AbortController()
    let agree = (): void => undefined
    const consent = () =>
      new Promise<boolean>((resolve) => {
        agree = () => resolve(true)
      })
    const parameters = { to: receiver, amount, ...order(1) }
    const first = payments.pay({ ...parameters, consent, signal: cancelling.signal })
    const second = payments.pay(parameters)
    first.catch(() => undefined)
    await new Promise(setImmediate)
    cancelling.abort(new Error('mine alone'))
    await expect(first).rejects.toThrow('mine alone')
    agree()
    const payment = await within(second)
    expect(await settled(payment)).toMatchObject({ status: 'confirmed' })
    // When every caller leaves, nothing is signed; the next caller begins anew.
    const leaving = new AbortController()
    const third = payments.pay({ to: receiver, amount, ...order(2), consent, signal: leaving.signal })
    await new Promise(setImmediate)
    leaving.abort(new Error('gone'))
    await expect(third).rejects.toThrow('gone')
    agree()
    const fourth = await within(payments.pay({ to: receiver, amount, ...order(2) }))
    expect(await settled(fourth)).toMatchObject({ status: 'confirmed' })
    expect([...network.executed()]).toStrictEqual([
      ['order 1', 1],
      ['order 2', 1],
    ])
  })
})

describe('a copy of a journal', () => {
  it.each([1, 2, 3, 4, 5])(
    'taken in the middle of a batch shows what came after it, wherever that is in its block: %i',
    async (salt) => {
      const network = new ModelNetwork()
      const first = await program(network)
      const batch = (n: number) => ({ memo: `batch ${n}`, idempotencyKey: `${salt} ${n}` })
      for (const n of [1, 2, 3]) await first.pay(batch(n))
      const copy = [...first.lines]
      const later = []
      for (const n of [4, 5, 6]) later.push(await first.pay(batch(n)))
      for (const payment of later) await first.settled(payment)
      await first.payments.close()
      // A signer without derived nonces would pay them again, and is refused.
      const restored = await program(network, { journal: createMemoryJournal(copy), wallet: withoutNonces })
      for (const n of [4, 5, 6]) expect(await codeOf(restored.pay(batch(n)))).toBe('JOURNAL_BEHIND')
      await restored.payments.close()
      // The same orders are the same bytes for a wallet.
      const own = await program(network, { journal: createMemoryJournal(copy) })
      for (const n of [4, 5, 6])
        expect(await own.settled(await own.pay(batch(n)))).toMatchObject({ status: 'confirmed' })
      for (const n of [1, 2, 3, 4, 5, 6]) expect(network.executed().get(`batch ${n}`)).toBe(1)
    },
  )

  it('is behind also after it paid something else', async () => {
    const network = new ModelNetwork()
    const first = await program(network)
    await first.settled(await first.pay(order(1)))
    const lines = [...first.lines]
    await first.settled(await first.pay(order(2)))
    await first.payments.close()
    // What a wallet derives is paid from the copy, and is above what the copy does not have.
    const copy = await program(network, { journal: createMemoryJournal(lines) })
    await copy.settled(await copy.pay(order(3)))
    await copy.payments.close()
    const records = (text: string) =>
      lines.filter((line) => line.includes(text)).map((line) => JSON.parse(line.slice(9)))
    expect(records('"isFinal":true')).toMatchObject([{ isWhole: true }, { isWhole: false }])
    const again = await program(network, { journal: createMemoryJournal(lines), wallet: withoutNonces })
    expect(await codeOf(again.pay(order(2)))).toBe('JOURNAL_BEHIND')
    expect(network.executed().get('order 2')).toBe(1)
  })

  it('is told to a person also where the first comparison could not be sure', async () => {
    const network = new ModelNetwork()
    const first = await program(network)
    await first.settled(await first.pay({ memo: 'fees' }))
    const copy = [...first.lines]
    await first.settled(await first.pay({ memo: 'rent' }))
    await first.payments.close()
    const empty = (query: URLSearchParams) =>
      JSON.stringify({ balance: 0, id: query.get('id'), records: [], page_count: 0 })
    network.lies = new Map([['/account_transactions', empty]])
    const restored = await program(network, { journal: createMemoryJournal(copy) })
    const shown: unknown[] = []
    const consent = ({ warnings }: PaymentSummary) => {
      shown.push(warnings.map(({ kind }) => kind))
      return true
    }
    await restored.pay({ memo: 'coffee', consent })
    network.lies = new Map()
    await restored.blocks(6)
    for (const memo of ['rent', 'tea']) await restored.pay({ memo, consent })
    expect(shown).toStrictEqual([[], ['paidWithoutJournal'], []])
  })

  it('is told to a person again when another journal has paid since', async () => {
    const network = new ModelNetwork()
    const lost = await program(network)
    await lost.settled(await lost.pay({ memo: 'fees' }))
    const own = await program(network)
    const shown: unknown[] = []
    const consent = ({ warnings }: PaymentSummary) => {
      shown.push(warnings.map(({ kind }) => kind))
      return true
    }
    for (const memo of ['coffee', 'tea']) await own.settled(await own.pay({ memo, consent }))
    await lost.settled(await lost.pay({ memo: 'rent' }))
    await own.pay({ memo: 'rent', consent })
    expect(shown).toStrictEqual([['paidWithoutJournal'], [], ['paidWithoutJournal']])
  })

  it('is behind also when a hundred received transfers are on top', async () => {
    const network = new ModelNetwork()
    const first = await program(network, { wallet: withoutNonces })
    await first.settled(await first.pay(order(1)))
    const copy = [...first.lines]
    await first.settled(await first.pay(order(2)))
    await first.payments.close()
    network.receive(wallet.address, 150)
    network.mine()
    const restored = await program(network, { journal: createMemoryJournal(copy), wallet: withoutNonces })
    expect(await codeOf(restored.pay(order(2)))).toBe('JOURNAL_BEHIND')
    expect(network.executed().get('order 2')).toBe(1)
  })

  it('is behind also where the payment stands between two pages of nodes that are apart', async () => {
    const network = new ModelNetwork()
    const first = await program(network)
    await first.settled(await first.pay(order(1)))
    await first.payments.close()
    network.receive(wallet.address, 111)
    network.mine()
    const lost = await program(network, { wallet: withoutNonces, through: twoHistories(network, 3) })
    expect(await codeOf(lost.pay(order(1)))).toBe('JOURNAL_BEHIND')
  })

  it('sends no old bytes before it was compared: they may have been refused and paid under another key', async () => {
    const network = new ModelNetwork()
    const first = await program(network, { wallet: withoutNonces })
    let isRefusing = true
    first.clock.every(100, () => {
      network.postFault = isRefusing ? 'refuses it' : null
    })
    network.postFault = 'refuses it'
    const refused = await first.pay({ memo: 'rent', idempotencyKey: 'rent' })
    await first.clock.runUntil(() => refused.state.status === 'refused', BLOCK_MS)
    const copy = [...first.lines]
    expect(await first.settled(refused)).toMatchObject({ status: 'refused', isFinal: true })
    isRefusing = false
    network.postFault = null
    await first.settled(await first.pay({ memo: 'rent', idempotencyKey: 'rent, again' }))
    await first.payments.close()
    const restored = await program(network, { journal: createMemoryJournal(copy) })
    const [payment] = await restored.within(restored.payments.resume())
    await restored.blocks(10)
    expect(payment?.state).toMatchObject({
      status: 'uncertain',
      reason: expect.stringContaining('payments that this journal does not have'),
    })
    expect(network.executed().get('rent')).toBe(1)
    await restored.payments.close()
  })

  it('keeps back an order with a derived nonce that looks paid under another key', async () => {
    const network = new ModelNetwork()
    const first = await program(network)
    const [rent, milk] = [{ memo: 'rent', idempotencyKey: 'rent' }, order(1)]
    for (const each of [rent, milk]) {
      network.postFault = 'refuses it'
      await first.pay(each)
    }
    const copy = [...first.lines]
    await first.payments.close()
    const other = await program(network)
    await other.settled(await other.pay({ memo: 'rent', idempotencyKey: 'rent, again' }))
    await other.payments.close()
    const restored = await program(network, { journal: createMemoryJournal(copy) })
    await restored.within(restored.payments.resume())
    await restored.pay(rent)
    await restored.blocks(10)
    const statuses = restored.payments.list().map(({ state }) => state.status)
    expect(statuses).toStrictEqual(['uncertain', 'confirmed'])
    expect([...network.executed()].sort()).toStrictEqual([
      ['order 1', 1],
      ['rent', 1],
    ])
    await restored.payments.close()
  })
})

describe('a stranger', () => {
  /** Posts all executed bytes again, before each answer. */
  const reposting = (network: ModelNetwork) => {
    network.meanwhile = () => {
      for (const body of [...network.posted]) {
        const transaction = readTransactionBody(body)
        if (transaction !== null && network.executed().size > 0)
          network.pool.set(transactionHash(transaction), transaction)
      }
    }
  }

  it('who posts executed bytes again does not keep a payment from being settled', async () => {
    const network = new ModelNetwork()
    const { pay, settled } = await program(network)
    const payment = await pay(order(1))
    reposting(network)
    expect(await settled(payment)).toMatchObject({ status: 'confirmed', isFinal: true })
    expect(network.executed().get('order 1')).toBe(1)
  })

  it('who posts old bytes again makes no journal behind', async () => {
    const network = new ModelNetwork()
    const first = await program(network, { wallet: withoutNonces })
    await first.settled(await first.pay(order(1)))
    await first.settled(await first.pay(order(2)))
    // The newest alone is kept: the old one is in the chain below it.
    const kept = await program(network, {
      wallet: withoutNonces,
      keepSettled: 1,
      journal: createMemoryJournal(first.lines),
    })
    reposting(network)
    expect(await codeOf(kept.pay(order(3)))).toBe('no error')
  })

  it('whose copy was executed as well is reported in a busy account, too', async () => {
    const network = new ModelNetwork()
    const { pay, settled, events } = await program(network)
    const payment = await pay(order(1))
    const transaction = readTransactionBody(network.posted[0] ?? '')
    if (transaction === null) throw new Error('nothing was posted')
    const copy = { ...transaction, signature: flippedSignature(transaction.signature) }
    network.pool.set(transactionHash(copy), copy)
    network.mine()
    network.receive(wallet.address, 150)
    expect(await settled(payment)).toMatchObject({ status: 'confirmed' })
    expect(events.filter(({ type }) => type === 'malleatedExecuted')).toHaveLength(1)
  })
})

describe('another chain', () => {
  it('that the API serves from one moment on gets no bytes, and its word ends nothing', async () => {
    const network = new ModelNetwork()
    const { pay, payments, blocks, settled } = await program(network)
    network.postFault = 'request lost'
    const payment = await pay(order(1))
    const posted = network.posted.length
    const origin = (query: URLSearchParams) =>
      query.get('height') === '0' ? { text: otherOrigin } : undefined
    network.lies = new Map([['/macroblock_by_height', origin]])
    await blocks(20)
    expect(network.posted).toHaveLength(posted)
    expect(payments.list()).toMatchObject([{ isOfOtherChain: true }])
    // A new order under the same key is one of that chain.
    network.lies = new Map()
    expect(await settled(payment)).toMatchObject({ status: 'confirmed', isFinal: true })
    expect(network.executed().get('order 1')).toBe(1)
  })

  it('that the API serves since the history was compared gets no bytes of a restored journal', async () => {
    const network = new ModelNetwork()
    const first = await program(network)
    network.postFault = 'refuses it'
    await first.pay(order(1))
    const copy = [...first.lines]
    await first.payments.close()
    const restored = await program(network, { journal: createMemoryJournal(copy) })
    let isCompared = false
    let newest = ''
    const answers =
      (path: string) =>
      (query: URLSearchParams): { text: string } | undefined => {
        // Of all who read the history, the comparison alone does so right after the chain was named.
        if (path === '/account_transactions' && newest === 'origin') isCompared = true
        newest = query.get('height') === '0' ? 'origin' : path
        return isCompared && newest === 'origin' ? { text: otherOrigin } : undefined
      }
    const paths = ['/macroblock_by_height', '/tx', '/account_transactions']
    network.lies = new Map(paths.map((path) => [path, answers(path)]))
    await restored.within(restored.payments.resume())
    await restored.blocks(20)
    expect(isCompared).toBe(true)
    expect(network.posted).toHaveLength(1)
    network.lies = new Map()
    await restored.blocks(10)
    expect(network.executed().get('order 1')).toBe(1)
    await restored.payments.close()
  })
})

describe('a wrong node among several', () => {
  it('behind one address is noticed before anything is made', async () => {
    const network = new ModelNetwork()
    const answers = [false, true, true, true, false, true, true]
    const origin = (query: URLSearchParams) =>
      query.get('height') === '0' && answers.pop() ? { text: otherOrigin } : undefined
    network.lies = new Map([['/macroblock_by_height', origin]])
    const { pay, payments } = await program(network)
    expect(await codeOf(pay(order(1)))).toBe('NETWORK_MISMATCH')
    expect([payments.list(), network.posted]).toStrictEqual([[], []])
  })

  it.each([
    [0, 'a fresh journal'],
    [0.9, 'a fresh journal'],
    [0, 'a journal of both chains'],
    [0, 'a journal of the right chain'],
    [0, 'a journal of the right chain, of the same name'],
  ])('gets nothing while the right one is away: asked first %d, %s', async (random, kind) => {
    const [network, wrong] = [new ModelNetwork(), new ModelNetwork()]
    wrong.mine()
    const originHash = kind.endsWith('same name') ? 'MODELGENESIS' : undefined
    const text = otherOrigin.replaceAll('OTHERGENESIS', originHash ?? 'OTHERGENESIS')
    wrong.lies = new Map([
      ['/macroblock_by_height', (query) => (query.get('height') === '0' ? { text } : undefined)],
    ])
    const lines: string[] = []
    const isOfRight = kind.startsWith('a journal of the right chain')
    for (const each of kind === 'a fresh journal' ? [] : [network, ...(isOfRight ? [] : [wrong])]) {
      const earlier = await program(each, { journal: createMemoryJournal(lines) })
      await earlier.settled(await earlier.pay())
      await earlier.payments.close()
      each.posted.length = 0
    }
    network.isAway = true
    const node = (url: string, { transport }: ModelNetwork) => ({ url, transport: transport() })
    const through = createFailoverTransport({
      nodes: [node('http://127.0.0.1:1', network), node('http://127.0.0.1:2', wrong)],
      clock: virtualClock(),
      randomness: () => random,
    })
    const { payments, clock, within } = await program(network, {
      journal: createMemoryJournal(lines),
      through: { ...network.transport(), ...through },
      ...(originHash === undefined ? {} : { originHash }),
    })
    const paid = codeOf(payments.pay({ to: receiver, amount }))
    // A journal of its chain alone waits for it; others can do so for some seconds.
    await clock.runUntil(() => clock.monotonicMs() > 3_000, BLOCK_MS).catch(() => undefined)
    network.isAway = isOfRight
    expect(await within(paid)).toBe('NETWORK_MISMATCH')
    expect([network.posted, wrong.posted]).toStrictEqual([[], []])
  })

  it('gets nothing from a program that has paid, however long the right one is away', async () => {
    const [network, wrong] = [new ModelNetwork(), new ModelNetwork()]
    wrong.lies = new Map([
      ['/macroblock_by_height', (query) => (query.get('height') === '0' ? { text: otherOrigin } : undefined)],
    ])
    const node = (url: string, { transport }: ModelNetwork) => ({ url, transport: transport() })
    const through = createFailoverTransport({
      nodes: [node('http://127.0.0.1:1', network), node('http://127.0.0.1:2', wrong)],
      clock: virtualClock(),
      randomness: () => 0,
    })
    const { pay, settled, clock } = await program(network, {
      through: { ...network.transport(), ...through },
    })
    wrong.isAway = true
    await settled(await pay())
    network.posted.length = 0
    wrong.isAway = false
    network.isAway = true
    const codes = new Set<unknown>()
    for (let minute = 0; minute < 15; minute++) {
      codes.add(await codeOf(pay()))
      const untilMs = clock.monotonicMs() + 60_000
      await clock.runUntil(() => clock.monotonicMs() > untilMs, 100_000).catch(() => undefined)
    }
    expect(codes).toStrictEqual(new Set(['REQUEST_FAILED', 'NETWORK_MISMATCH']))
    expect([network.posted, wrong.posted]).toStrictEqual([[], []])
  })
})

it('a node that never answers holds up the first payment on a chain once', async () => {
  const network = new ModelNetwork()
  let clock = virtualClock()
  const silent = async ({ path, timeoutMs }: { readonly path: string; readonly timeoutMs: number }) => {
    await clock.sleep(timeoutMs)
    throw apiError('REQUEST_TIMEOUT', { path, timeoutMs })
  }
  const through = createFailoverTransport({
    nodes: [
      { url: 'http://127.0.0.1:1', transport: network.transport() },
      { url: 'http://127.0.0.1:2', transport: { ...network.transport(), request: silent } },
    ],
    clock,
    randomness: () => 0,
  })
  const paying = await program(network, { through: { ...network.transport(), ...through } })
  ;({ clock } = paying)
  await paying.pay(order(1))
  expect(clock.monotonicMs()).toBeLessThan(2 * BLOCK_MS)
})

describe('a refusal for now', () => {
  it.each([
    [200, 'refused'],
    [503, 'uncertain'],
    [403, 'uncertain'],
  ])(
    'of status %d is answered with the same bytes later, and the message is shown meanwhile',
    async (status, shown) => {
      const network = new ModelNetwork()
      const full =
        '{"err":1,"message":"The pool is full with 3 transactions. Send it again after the next macroblock."}'
      let isFull = true
      const through = network.transport()
      const { request } = through
      const busy: typeof through = {
        ...through,
        request: (asked) =>
          asked.method === 'POST' && isFull
            ? Promise.resolve({ status, contentType: 'application/json', text: full })
            : request(asked),
      }
      const { pay, blocks, settled } = await program(network, { through: busy })
      const payment = await pay({ memo: 'order 1' })
      await blocks(12)
      expect(payment.state).toMatchObject({ status: shown })
      expect(payment.state).not.toMatchObject({ isFinal: true })
      expect(JSON.stringify(payment.state)).toContain('pool is full')
      isFull = false
      expect(await settled(payment)).toMatchObject({ status: 'confirmed', isFinal: true })
      expect(network.executed().get('order 1')).toBe(1)
    },
  )
})

describe('the balance', () => {
  const most = toAmount(600_000_000_000n)

  it('bears one of five payments that begin at once', async () => {
    const network = new ModelNetwork()
    const { payments, within } = await program(network)
    const codes = await within(
      Promise.all(
        [1, 2, 3, 4, 5].map((n) => codeOf(payments.pay({ to: receiver, amount: most, memo: `${n}` }))),
      ),
    )
    expect(codes.filter((code) => code === 'no error')).toHaveLength(1)
    expect(codes.filter((code) => code === 'PAYMENT_HOPELESS')).toHaveLength(4)
  })

  it('bears one of five payments whose native fee the payer pays as the owner of their token', async () => {
    const network = new ModelNetwork()
    const tokenId = 'ab'.repeat(32)
    const [coin, zeros] = [network.transport(), '0'.repeat(64)]
    const answer = async (path: `/${string}`) =>
      (await coin.request({ method: 'GET', path, timeoutMs: 1 })).text
    const [token, balance] = [await answer('/token_info'), await answer('/balance')]
    const isOwn = (query: URLSearchParams): boolean =>
      [query.get('hash'), query.get('token')].includes(tokenId)
    const owned = token.replace(zeros, tokenId).replace(/"owner":"\w+"/, `"owner":"${wallet.address}"`)
    network.lies = new Map([
      ['/token_info', (query) => (isOwn(query) ? { text: owned } : undefined)],
      [
        '/balance',
        (query) => ({
          text: isOwn(query)
            ? balance.replace(zeros, tokenId)
            : balance.replace(/"amount":"\d+"/, '"amount":"150"'),
        }),
      ],
    ])
    const { payments, within } = await program(network)
    const pay = (memo: string) => codeOf(payments.pay({ to: receiver, amount, tokenId, memo }))
    const codes = await within(Promise.all(['1', '2', '3', '4', '5'].map(pay)))
    expect(codes.filter((code) => code === 'no error')).toHaveLength(1)
    expect(codes.filter((code) => code === 'PAYMENT_HOPELESS')).toHaveLength(4)
  })

  it('keeps the reserve of a payment beside all that is under way', async () => {
    const network = new ModelNetwork()
    const { pay, settled } = await program(network)
    const reserve = 300_000_000_000n
    expect(await codeOf(pay({ amount: most + 100_000_000_001n, reserve }))).toBe('PAYMENT_HOPELESS')
    const other = await pay({ amount: 200_000_000_000n })
    expect(await codeOf(pay({ amount: most, reserve }))).toBe('PAYMENT_HOPELESS')
    await settled(other)
    expect(await settled(await pay({ amount: most, reserve }))).toMatchObject({ status: 'confirmed' })
    expect(network.posted).toHaveLength(2)
  })

  it('is looked at again after a consent, during which another payment was made', async () => {
    const network = new ModelNetwork()
    const { payments, within, pay } = await program(network)
    let agree = (): void => undefined
    const consent = () =>
      new Promise<boolean>((resolve) => {
        agree = () => resolve(true)
      })
    const slow = payments.pay({ to: receiver, amount: most, consent })
    slow.catch(() => undefined)
    await new Promise(setImmediate)
    await pay({ amount: most })
    agree()
    expect(await codeOf(within(slow))).toBe('PAYMENT_HOPELESS')
    expect(network.posted).toHaveLength(1)
  })
})

describe('a store that fails', () => {
  it.each([
    ['with an error of its driver', () => new Error('connection terminated')],
    ['and may have stored it', () => journalWriteFailed({ reason: 'no answer', mayBeStored: true })],
  ])('%s leaves the outcome unknown: the same key stores the same bytes', async (_, error) => {
    const network = new ModelNetwork()
    const lines: string[] = []
    const memory = createMemoryJournal(lines)
    let failures = 2
    const journal: typeof memory = {
      ...memory,
      append: async (json, options) => {
        if (json.includes('"status":"stored"') && failures-- > 0) throw error()
        await memory.append(json, options)
      },
    }
    const { pay, settled, payments } = await program(network, { journal })
    expect(await codeOf(pay(order(1)))).toBe('TRANSACTION_UNCERTAIN')
    expect(await codeOf(pay(order(1)))).toBe('TRANSACTION_UNCERTAIN')
    expect(network.posted).toHaveLength(0)
    const payment = await pay(order(1))
    expect(await settled(payment)).toMatchObject({ status: 'confirmed' })
    expect([payments.list().length, network.executed().get('order 1')]).toStrictEqual([1, 1])
  })

  it('to answer for one record keeps no other payment waiting, and its amount counts', async () => {
    const network = new ModelNetwork()
    const memory = createMemoryJournal()
    const append: typeof memory.append = (json, options) =>
      json.includes('order 1') ? new Promise(() => undefined) : memory.append(json, options)
    const journal = { ...memory, append }
    const { payments, pay, settled } = await program(network, { journal, minOverwritten: 0 })
    const leaving = new AbortController()
    const told = payments.pay({ to: receiver, amount, ...order(1), signal: leaving.signal })
    for (const n of [2, 3]) expect(await settled(await pay(order(n)))).toMatchObject({ status: 'confirmed' })
    const most = toAmount(1_000_000_000_000n - amount + 1n)
    expect(await codeOf(pay({ amount: most }))).toBe('PAYMENT_HOPELESS')
    leaving.abort('left')
    await expect(told).rejects.toBe('left')
  })

  it('for certain withdraws the payment, and the key is free', async () => {
    const network = new ModelNetwork()
    const memory = createMemoryJournal()
    let failures = 1
    const journal: typeof memory = {
      ...memory,
      append: async (json, options) => {
        if (json.includes('"status":"stored"') && failures-- > 0)
          throw journalWriteFailed({ reason: 'full', mayBeStored: false })
        await memory.append(json, options)
      },
    }
    const { pay, settled } = await program(network, { journal })
    expect(await codeOf(pay(order(1)))).toBe('JOURNAL_WRITE_FAILED')
    expect(await settled(await pay(order(1)))).toMatchObject({ status: 'confirmed' })
  })
})

describe('a payment that was executed as a copy', () => {
  it.each(['at once', 'after a restart'])('is never forgotten under its key: %s', async (when) => {
    const network = new ModelNetwork()
    const first = await program(network, { keepSettled: 1 })
    network.postFault = 'sends a malleated copy'
    expect(await first.settled(await first.pay(order(1)))).toMatchObject({ status: 'superseded' })
    for (const n of [2, 3]) await first.settled(await first.pay(order(n)))
    const keys = first.payments.list().map(({ idempotencyKey }) => idempotencyKey)
    expect(keys).toStrictEqual(['order 1', 'order 3'])
    let own = first
    if (when === 'after a restart') {
      await first.payments.close()
      own = await program(network, { keepSettled: 1, journal: createMemoryJournal([...first.lines]) })
      await own.settled(await own.pay(order(4)))
    }
    expect(await own.settled(await own.pay(order(1)))).toMatchObject({ status: 'superseded', isFinal: true })
    await own.blocks(3)
    expect(network.executed().get('order 1')).toBe(1)
  })
})

describe('settings', () => {
  it.each([
    { confirmations: -1 },
    { confirmations: 1.5 },
    { pollMs: 0 },
    { pollMs: -5 },
    { keepSettled: -1 },
    { minOverwritten: -1 },
    { signingTimeoutMs: 0 },
  ])('that make no sense are refused, and the store is let go: %o', async (given) => {
    let closed = 0
    const journal = { ...createMemoryJournal(), close: async () => void closed++ }
    expect(await codeOf(program(new ModelNetwork(), { journal, ...given }))).toBe('ARGUMENT_INVALID')
    expect(closed).toBe(1)
  })

  it('one store has one set of payments', async () => {
    const journal = createMemoryJournal()
    const network = new ModelNetwork()
    const { payments } = await program(network, { journal })
    expect(await codeOf(program(network, { journal }))).toBe('JOURNAL_INVALID')
    await payments.close()
    expect(await codeOf(program(network, { journal }))).toBe('no error')
  })

  it('that drop a payment while its key is looked up give its handle all the same', async () => {
    const network = new ModelNetwork()
    const inner = network.transport()
    const asking: (() => void | Promise<void>)[] = []
    const through: typeof inner = {
      ...inner,
      request: async (asked) => {
        const isOrigin = asked.path === '/macroblock_by_height' && asked.query === 'height=0'
        if (isOrigin) await asking.shift()?.()
        return inner.request(asked)
      },
    }
    const { payments, pay, until, within } = await program(network, { keepSettled: 0, through })
    await pay(order(1))
    await until(() => payments.list()[0]?.state.status === 'confirmed')
    let again: Promise<PaymentHandle> | undefined
    let answer = (): void => undefined
    const answered = new Promise<void>((resolve) => {
      answer = resolve
    })
    // The chain is asked for what makes the payment final, and then for the second call.
    asking.push(
      () => {
        again = payments.pay({ to: receiver, amount, ...order(1) })
      },
      () => answered,
    )
    await until(() => payments.list().length === 0)
    answer()
    expect((await within(Promise.resolve(again)))?.state).toMatchObject({
      status: 'confirmed',
      isFinal: true,
    })
    expect(network.posted).toHaveLength(1)
  })

  it('keep as many settled payments in memory as they say', async () => {
    const { pay, settled, payments } = await program(new ModelNetwork(), { keepSettled: 5 })
    for (let n = 0; n < 30; n++) await settled(await pay(order(n)))
    expect(payments.list()).toHaveLength(5)
  })
})
