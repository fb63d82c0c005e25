import { describe, expect, it } from 'vitest'
import { ModelNetwork } from '../../test/support/model-network.ts'
import {
  amount,
  codeOf,
  copyOf,
  follower,
  order,
  program,
  receiver,
  twoNodes,
  wallet,
  withoutNonces,
} from '../../test/support/payment-program.ts'
import { sendTransaction } from '../actions/send-transaction.ts'
import { createMemoryJournal } from './memory-journal.ts'

/** Lets time pass in which nothing has to happen. */
const meanwhile = (until: (is: () => boolean, blocks?: number) => Promise<void>, blocks: number) =>
  until(() => false, blocks).catch(() => undefined)

/** A program whose address leads to a node that can be behind. */
async function withNodeBehind() {
  const network = new ModelNetwork()
  const { node, follow } = follower(network)
  const state = { isBehind: false }
  const through = twoNodes(network, node, () => state.isBehind)
  return { network, node, follow, state, ...(await program(network, { through })) }
}

describe('a node that is behind', () => {
  it('does not undo the execution of a copy: the payment is not sent beside it', async () => {
    const { network, node, follow, state, pay, until, settled } = await withNodeBehind()
    network.postFault = 'sends a malleated copy'
    const payment = await pay(order(1))
    await until(() => payment.state.status === 'superseded')
    follow(1)
    expect(node.height).toBe(1)
    state.isBehind = true
    await meanwhile(until, 3)
    state.isBehind = false
    expect(await settled(payment)).toMatchObject({ status: 'superseded', isFinal: true })
    expect(network.executed().get('order 1')).toBe(1)
  })

  it('does not undo that a copy was waiting', async () => {
    const { network, follow, state, pay, until, settled } = await withNodeBehind()
    network.postFault = 'sends a malleated copy'
    const payment = await pay(order(1))
    await until(() => payment.state.status === 'uncertain')
    follow(network.height)
    network.mine()
    state.isBehind = true
    await meanwhile(until, 2)
    state.isBehind = false
    expect(await settled(payment)).toMatchObject({ status: 'superseded' })
    expect(network.executed().get('order 1')).toBe(1)
  })

  it('is not believed when it has nothing of a payment whose answer was lost', async () => {
    const { network, follow, state, pay, until, settled } = await withNodeBehind()
    network.postFault = 'sends a malleated copy'
    network.meanwhile = () => {
      if (network.posted.length !== 1) return
      network.meanwhile = () => undefined
      follow(network.height)
      network.mine()
      state.isBehind = true
    }
    const payment = await pay(order(1))
    await meanwhile(until, 2)
    state.isBehind = false
    expect(await settled(payment)).toMatchObject({ status: 'superseded' })
    expect(network.executed().get('order 1')).toBe(1)
  })

  it.each([true, false])(
    'on a branch that was left does not say how a payment ended: rejected there %s',
    async (isRejected) => {
      const network = new ModelNetwork()
      const { node, follow } = follower(network)
      let isLeft = false
      const through = twoNodes(network, node, (path) => {
        const isOnce = path === '/tx' && isLeft && network.height >= 4
        if (isOnce) isLeft = false
        return isOnce
      })
      const { pay, until, settled } = await program(network, { through })
      const payment = await pay(order(1))
      await until(() => payment.state.status === 'inPool')
      follow(network.height)
      // The same key block and microblock; another payment before it took the balance on one of the branches.
      for (const [hash, transaction] of network.pool) node.pool.set(hash, transaction)
      const poor = isRejected ? node : network
      poor.isPoor = true
      network.mine()
      node.mine()
      poor.isPoor = false
      isLeft = true
      expect(await settled(payment)).toMatchObject({ status: isRejected ? 'confirmed' : 'rejected' })
    },
  )
})

it('of one block, as it was before a fork, settles nothing with blocks of the fork on top', async () => {
  const network = new ModelNetwork()
  const { node, follow } = follower(network)
  let isSplit = false
  let height = 0
  const isOld = (path: string, query: string): boolean =>
    ['/tx', '/macroblock'].includes(path) ||
    (path === '/macroblock_by_height' && query === `height=${height}`)
  const through = twoNodes(network, node, (path, query) => isSplit && isOld(path, query))
  const { pay, until, settled } = await program(network, { through })
  const payment = await pay(order(1))
  await until(() => payment.state.status === 'confirmed')
  height = network.height - 1
  follow(network.height)
  network.reorganise(1)
  isSplit = true
  await meanwhile(until, 8)
  expect(payment.state).toMatchObject({ status: 'confirmed', isFinal: false })
  isSplit = false
  expect(await settled(payment)).toMatchObject({ status: 'confirmed', isFinal: true })
  expect(network.executed().get('order 1')).toBe(1)
})

it('that leaves out what a root is made of settles a payment after minutes', async () => {
  const network = new ModelNetwork()
  const inner = network.transport()
  const through = {
    ...inner,
    request: async (asked: Parameters<typeof inner.request>[0]) => {
      const answer = await inner.request(asked)
      return {
        ...answer,
        text: answer.text.replace(/"m_root":"[0-9a-f]{64}"/, `"m_root":"${'ab'.repeat(32)}"`),
      }
    },
  }
  const { pay, until, settled } = await program(network, { through })
  const payment = await pay(order(1))
  await until(() => payment.state.status === 'confirmed')
  await meanwhile(until, 15)
  expect(payment.state).toMatchObject({ status: 'confirmed', isFinal: false })
  expect(await settled(payment)).toMatchObject({ status: 'confirmed', isFinal: true })
  expect(network.executed().get('order 1')).toBe(1)
})

describe('a journal that is behind', () => {
  async function restoredBehindOrder2() {
    const network = new ModelNetwork()
    const { node, follow } = follower(network)
    const first = await program(network, { wallet: withoutNonces })
    await first.settled(await first.pay(order(1)))
    const journal = createMemoryJournal([...first.lines])
    follow(network.height)
    await first.settled(await first.pay(order(2)))
    await first.payments.close()
    return { network, node, journal }
  }

  it('is noticed though a copy of its newest payment is on top of the history', async () => {
    const { network, journal } = await restoredBehindOrder2()
    const { hash, copy } = copyOf(network)
    network.pool.set(hash, copy)
    // A copy that is rejected costs nobody anything.
    network.isPoor = true
    network.mine()
    network.isPoor = false
    const restored = await program(network, { journal, wallet: withoutNonces })
    expect(await codeOf(restored.pay(order(2)))).toBe('JOURNAL_BEHIND')
    expect(network.executed().get('order 2')).toBe(1)
  })

  it('is noticed though one answer is that of a node that is behind as well', async () => {
    const { network, node, journal } = await restoredBehindOrder2()
    let isBehind = true
    const through = twoNodes(network, node, (path) => {
      const isOnce = path === '/account_transactions' && isBehind
      if (isOnce) isBehind = false
      return isOnce
    })
    const restored = await program(network, { journal, wallet: withoutNonces, through })
    expect(await codeOf(restored.pay(order(2)))).toBe('JOURNAL_BEHIND')
    expect(network.executed().get('order 2')).toBe(1)
  })

  it('is noticed though a node that restarts shows no history once', async () => {
    const { network } = await restoredBehindOrder2()
    let answers = 0
    const empty = (query: URLSearchParams) =>
      JSON.stringify({ balance: 0, id: query.get('id'), records: [], page_count: 0 })
    network.lies = new Map([['/account_transactions', (query) => (answers++ > 0 ? undefined : empty(query))]])
    const lost = await program(network, { wallet: withoutNonces })
    expect(await codeOf(lost.pay(order(2)))).toBe('JOURNAL_BEHIND')
    expect(network.executed().get('order 2')).toBe(1)
  })

  it('does not refuse for good what the lost one sent to a node that went away', async () => {
    const network = new ModelNetwork()
    const first = await program(network)
    await first.settled(await first.pay(order(1)))
    const journal = createMemoryJournal([...first.lines])
    network.postFault = 'goes away with it unanswered'
    await first.pay(order(2))
    await first.until(() => network.posted.length > 1)
    await first.payments.close()
    const restored = await program(network, { journal })
    const payment = await restored.pay(order(2))
    expect(await restored.settled(payment)).toMatchObject({ status: 'confirmed' })
    const statuses = restored.events.flatMap((event) =>
      'payment' in event ? [event.payment.state.status] : [],
    )
    expect(statuses).not.toContain('refused')
    expect(network.executed().get('order 2')).toBe(1)
  })
})

describe('who leaves while bytes are being stored', () => {
  /** A journal whose first append of such a record takes until it is let go. */
  function slowJournal(text: string, lines: string[] = []) {
    const memory = createMemoryJournal(lines)
    const state = { go: (): void => undefined, isWaiting: false }
    const append: typeof memory.append = async (json, options) => {
      if (json.includes(text) && !state.isWaiting) {
        state.isWaiting = true
        await new Promise<void>((resolve) => {
          state.go = resolve
        })
      }
      await memory.append(json, options)
    }
    return { journal: { ...memory, append }, state }
  }

  it('is told that the outcome is unknown, and the payment is withdrawn', async () => {
    const network = new ModelNetwork()
    const { journal, state } = slowJournal('"status":"stored"')
    const { payments, until, settled, pay, blocks } = await program(network, { journal })
    const leaving = new AbortController()
    const first = payments.pay({ to: receiver, amount, memo: 'rent', signal: leaving.signal })
    first.catch(() => undefined)
    await until(() => state.isWaiting)
    leaving.abort(new Error('too long'))
    await expect(first).rejects.toMatchObject({
      code: 'TRANSACTION_UNCERTAIN',
      facts: { reason: 'too long' },
    })
    state.go()
    await settled(await pay({ memo: 'rent' }))
    await blocks(3)
    expect(payments.list().map((payment) => payment.state.status)).toStrictEqual(['withdrawn', 'confirmed'])
    expect(network.executed().get('rent')).toBe(1)
  })

  it('has nothing sent while the journal may have it as withdrawn', async () => {
    const network = new ModelNetwork()
    const lines: string[] = []
    const memory = createMemoryJournal(lines)
    const leaving = new AbortController()
    let isBroken = false
    const append: typeof memory.append = async (json, options) => {
      if (!isBroken) await memory.append(json, options)
      if (json.includes('"status":"stored"')) leaving.abort('left')
      if (json.includes('"status":"withdrawn"')) isBroken = true
      if (isBroken) throw new Error('connection terminated')
    }
    const journal = { ...memory, append }
    const { payments, blocks, until } = await program(network, { journal, wallet: withoutNonces })
    const told = payments.pay({ to: receiver, amount, ...order(1), signal: leaving.signal })
    expect(await codeOf(told)).toBe('TRANSACTION_UNCERTAIN')
    await blocks(2)
    expect(network.posted).toHaveLength(0)
    isBroken = false
    await until(() => network.posted.length > 0)
    await payments.close()
    const next = await program(network, { journal: createMemoryJournal(lines), wallet: withoutNonces })
    expect(await next.settled(await next.pay(order(1)))).toMatchObject({ status: 'confirmed' })
    expect(network.executed().get('order 1')).toBe(1)
  })

  it('is told of bytes that are sent, at whatever step after they were written they leave', async () => {
    const outcomes: string[] = []
    for (let steps = 0; steps < 24; steps++) {
      const network = new ModelNetwork()
      const leaving = new AbortController()
      const own = createMemoryJournal()
      const leave = async (): Promise<void> => {
        for (let step = 0; step < steps; step++) await null
        leaving.abort('left')
      }
      const append: typeof own.append = async (json, options) => {
        await own.append(json, options)
        if (json.includes('"status":"stored"')) void leave()
      }
      const { payments, blocks } = await program(network, { journal: { ...own, append } })
      const told = codeOf(payments.pay({ to: receiver, amount, signal: leaving.signal }))
      await blocks(1)
      outcomes.push(`${await told}, ${network.posted.length > 0 ? 'sent' : 'not sent'}`)
    }
    const expected = ['TRANSACTION_UNCERTAIN, not sent', 'TRANSACTION_UNCERTAIN, sent', 'no error, sent']
    expect([...new Set(outcomes)]).toStrictEqual(expected)
  })

  it('is told of bytes that could not be stored at first, and are stored and sent for the next call', async () => {
    const network = new ModelNetwork()
    const { journal: slow, state } = slowJournal('"status":"stored"')
    let isFull = true
    const append: typeof slow.append = async (json, options) => {
      if (isFull && json.includes('"status":"stored"')) throw new Error('the disk is full')
      await slow.append(json, options)
    }
    const { payments, pay, until, blocks } = await program(network, { journal: { ...slow, append } })
    const rent = { memo: 'rent', idempotencyKey: 'rent' }
    expect(await codeOf(pay(rent))).toBe('TRANSACTION_UNCERTAIN')
    isFull = false
    const leaving = new AbortController()
    const told = codeOf(payments.pay({ to: receiver, amount, ...rent, signal: leaving.signal }))
    await until(() => state.isWaiting)
    leaving.abort('left')
    state.go()
    await blocks(2)
    expect([await told, network.posted.length]).toStrictEqual(['TRANSACTION_UNCERTAIN', 1])
  })

  it('is told of bytes that an earlier run sent under the key, at whatever step of the look-up they leave', async () => {
    const network = new ModelNetwork()
    const lines: string[] = []
    const rent = { to: receiver, amount, memo: 'rent', idempotencyKey: 'rent' }
    const first = await program(network, { journal: createMemoryJournal(lines) })
    await first.pay(rent)
    await first.until(() => network.posted.length > 0)
    await first.payments.close()
    const outcomes = new Set<unknown>()
    for (let steps = 0; steps < 60; steps++) {
      const second = await program(network, { journal: createMemoryJournal([...lines]) })
      const leaving = new AbortController()
      const told = codeOf(second.payments.pay({ ...rent, signal: leaving.signal }))
      for (let step = 0; step < steps; step++) await null
      leaving.abort('left')
      outcomes.add(await told)
      const conflict = second.payments.pay({ ...rent, memo: 'other' })
      expect(await codeOf(second.within(conflict))).toBe('PAYMENT_CONFLICT')
      await second.payments.close()
    }
    expect([...outcomes]).toStrictEqual(['TRANSACTION_UNCERTAIN', 'no error'])
  })

  it('by closing leaves nothing that is sent after a restart', async () => {
    const network = new ModelNetwork()
    const lines: string[] = []
    const { journal, state } = slowJournal('"status":"stored"', lines)
    const { payments, until } = await program(network, { journal })
    const first = payments.pay({ to: receiver, amount, memo: 'rent' })
    first.catch(() => undefined)
    await until(() => state.isWaiting)
    const closed = payments.close()
    expect(await codeOf(first)).toBe('TRANSACTION_UNCERTAIN')
    state.go()
    await closed
    const next = await program(network, { journal: createMemoryJournal(lines) })
    expect(await next.within(next.payments.resume())).toStrictEqual([])
    await next.settled(await next.pay({ memo: 'rent' }))
    expect(network.executed().get('rent')).toBe(1)
  })

  it.each(['"status":"prepared"', '"status":"stored"'])(
    'takes nothing from the next caller of the key: %s',
    async (text) => {
      const network = new ModelNetwork()
      const { journal, state } = slowJournal(text)
      const { payments, until, within, settled } = await program(network, { journal })
      const leaving = new AbortController()
      const parameters = { to: receiver, amount, ...order(1) }
      const first = payments.pay({ ...parameters, signal: leaving.signal })
      first.catch(() => undefined)
      await until(() => state.isWaiting)
      leaving.abort(new Error('gone'))
      await expect(first).rejects.toThrow('gone')
      const second = payments.pay(parameters)
      await new Promise(setImmediate)
      state.go()
      expect(await settled(await within(second))).toMatchObject({ status: 'confirmed' })
      expect(network.executed().get('order 1')).toBe(1)
    },
  )
})

describe('an order', () => {
  it('of a busy account is sent from a journal without a past, however slow the API is', async () => {
    const network = new ModelNetwork()
    network.mine()
    network.receive(wallet.address, 600)
    network.mine()
    const inner = network.transport()
    let wait = async (): Promise<void> => undefined
    const through: typeof inner = {
      ...inner,
      request: async (asked) => {
        await wait()
        return inner.request(asked)
      },
    }
    const { clock, pay, until } = await program(network, { through })
    wait = () => clock.sleep(250)
    await pay(order(1))
    await until(() => network.posted.length > 0)
  })

  it('that is sent again without a journal is not sent beside a copy of it', async () => {
    const network = new ModelNetwork()
    const { client } = await program(network)
    const parameters = { wallet, to: receiver, amount, memo: 'rent', idempotencyKey: 'rent' }
    network.postFault = 'sends a malleated copy'
    expect(await codeOf(sendTransaction(client, parameters))).toBe('TRANSACTION_UNCERTAIN')
    const { hash } = copyOf(network)
    for (const _ of ['waiting', 'executed']) {
      expect((await sendTransaction(client, parameters)).hash).toBe(hash)
      network.mine()
    }
    expect([network.executed().get('rent'), network.posted.length]).toStrictEqual([1, 1])
  })

  it.each(['a node that starts shows no history once', 'a hundred received transfers are on top'])(
    'that is sent again without a journal is not sent beside a copy of it though %s',
    async (what) => {
      const network = new ModelNetwork()
      const { client } = await program(network)
      const parameters = { wallet, to: receiver, amount, memo: 'rent', idempotencyKey: 'rent' }
      network.postFault = 'sends a malleated copy'
      expect(await codeOf(sendTransaction(client, parameters))).toBe('TRANSACTION_UNCERTAIN')
      network.mine()
      const isDust = what.startsWith('a hundred')
      let answers = 0
      if (isDust) network.receive(wallet.address, 105)
      const nothing = JSON.stringify({ balance: 0, id: wallet.address })
      const once = () => (!isDust && answers++ === 0 ? nothing : undefined)
      network.lies = new Map([['/account_transactions', once]])
      await sendTransaction(client, parameters)
      network.mine()
      expect([network.executed().get('rent'), network.posted.length]).toStrictEqual([1, 1])
    },
  )

  it('is looked for in a long history with few requests at a time', async () => {
    const network = new ModelNetwork()
    network.mine()
    network.receive(wallet.address, 105)
    const inner = network.transport()
    let [atOnce, most] = [0, 0]
    const request: typeof inner.request = async (asked) => {
      most = Math.max(most, ++atOnce)
      // An answer takes until everything that does not wait for it was asked.
      await new Promise((resolve) => setImmediate(resolve))
      return inner.request(asked).finally(() => atOnce--)
    }
    const { client } = await program(network, { through: { ...inner, request } })
    await sendTransaction(client, { wallet, to: receiver, amount, memo: 'rent', idempotencyKey: 'rent' })
    expect([network.posted.length, most]).toStrictEqual([1, 8])
  })
})
