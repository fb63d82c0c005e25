// @vitest-environment happy-dom
import {
  type Client,
  createClient,
  createMemoryJournal,
  createPayments,
  type PaymentSigner,
  type Payments,
} from '@hailstone/client'
import { type LocalNetwork, startLocalNetwork } from '@hailstone/local-network'
import { createMiningNode, type MiningNode, type Wallet, walletFromPrivateKey } from '@hailstone/mining-node'
import { parseAmount } from '@hailstone/protocol'
import { MiningProvider, type Send, usePayments, useSend } from '@hailstone/react'
import { StrictMode, Suspense, useEffect, useReducer } from 'react'
import { createRoot } from 'react-dom/client'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'

let network: LocalNetwork
let client: Client
let node: MiningNode
let wallet: Wallet
let payments: Payments
/** Signatures wait until it is opened. */
let openSigner: () => void = () => undefined
let orders = 0
let key: string | undefined

beforeAll(async () => {
  network = await startLocalNetwork({ blockTimeMs: 3_600_000, automine: true })
  client = createClient({ apiUrl: network.apiUrl })
  wallet = walletFromPrivateKey(network.accounts.developers[0]?.privateKey ?? '')
  node = createMiningNode({ wallet, client, gatewayUrl: network.gatewayUrl })
})

beforeEach(async () => {
  key = `order-${++orders}`
  const opened = new Promise<void>((resolve) => {
    openSigner = resolve
  })
  const signer: PaymentSigner = {
    address: wallet.address,
    deriveNonce: wallet.deriveNonce,
    signTransaction: async (fields) => {
      await opened
      return wallet.signTransaction(fields)
    },
  }
  payments = await createPayments({
    client,
    wallet: signer,
    journal: createMemoryJournal(),
    confirmations: 1,
    pollMs: 50,
  })
  return async () => {
    openSigner()
    await payments.close()
  }
})

afterAll(async () => {
  await node?.close()
  await client?.close()
  await network?.stop()
})

/** Payments of other tests are not in the journal, so no two are alike. */
const orderOf = (idempotencyKey = key, more = 0) => ({
  to: network.accounts.developers[1]?.address ?? wallet.address,
  amount: parseAmount(String(2 + orders + more), { decimals: 10 }),
  idempotencyKey,
})

/** A form that shows its state and gives its functions away. */
function Form({ seen, isEager }: { readonly seen: Seen; readonly isEager: boolean }) {
  const send = useSend()
  const count = usePayments().length
  const { prepare } = send
  seen.send = send
  seen.states.push(send.state.step)
  useEffect(() => {
    if (isEager) prepare(orderOf())
  }, [prepare, isEager])
  return <p>{`${send.state.step} of ${count}`}</p>
}

type Seen = { send: Send | undefined; readonly states: string[] }

type Beside = { draw: () => void; wait: Promise<void> | null }

/** Is suspended while there is something to wait for. */
function Beside({ of }: { readonly of: Beside }) {
  const [, draw] = useReducer((drawn: number) => drawn + 1, 0)
  of.draw = draw
  if (of.wait !== null) throw of.wait
  return <p>beside</p>
}

/** Draws forms below one provider. */
async function draw({ isStrict = false, isEager = false, given = payments, count = 1 } = {}) {
  const place = document.createElement('div')
  const root = createRoot(place)
  const forms = Array.from({ length: count }, (): Seen => ({ send: undefined, states: [] }))
  const show = (used: Payments): void => {
    const app = (
      <MiningProvider node={node} client={client} payments={used}>
        {forms.map((seen, at) => (
          <Form key={String(at)} seen={seen} isEager={isEager} />
        ))}
      </MiningProvider>
    )
    root.render(isStrict ? <StrictMode>{app}</StrictMode> : app)
  }
  const until = (step: string, at = 0) => expect.poll(() => forms[at]?.send?.state.step).toBe(step)
  const press = (move: (send: Send) => void, at = 0): void => {
    const { send } = forms[at] ?? {}
    if (send === undefined) throw new Error('the form is not drawn')
    move(send)
  }
  show(given)
  await expect.poll(() => forms.every(({ send }) => send !== undefined)).toBe(true)
  return { until, press, show, forms, end: () => root.unmount() }
}

const confirmed = async (expected: number): Promise<void> => {
  await expect
    .poll(() => payments.list().map(({ state }) => state.status))
    .toEqual(Array.from({ length: expected }, () => 'confirmed'))
}

describe('a payment in a form', () => {
  it('that was left in the review is reviewed again, under the same key', async () => {
    const first = await draw()
    first.press(({ prepare }) => prepare(orderOf()))
    await first.until('review')
    first.end()
    const second = await draw()
    second.press(({ prepare }) => prepare(orderOf()))
    await second.until('review')
    expect(payments.list()).toEqual([])
    second.press(({ confirm }) => confirm())
    openSigner()
    await second.until('tracking')
    await confirmed(1)
    second.end()
  })

  it.each([true, false])(
    'prepared on mount is reviewed once under StrictMode: with a key %s',
    async (isNamed) => {
      if (!isNamed) key = undefined as unknown as string
      const form = await draw({ isStrict: true, isEager: true })
      await form.until('review')
      form.press(({ confirm }) => confirm())
      openSigner()
      await form.until('tracking')
      await confirmed(1)
      form.end()
    },
  )

  // Preact has no StrictMode, and forgets what is suspended.
  it.skipIf('__k' in <p />)(
    'stays in the review under StrictMode when what is beside it was suspended',
    async () => {
      const beside: Beside = { draw: () => undefined, wait: null }
      const seen: Seen = { send: undefined, states: [] }
      const place = document.createElement('div')
      const root = createRoot(place)
      root.render(
        <StrictMode>
          <MiningProvider node={node} client={client} payments={payments}>
            <Suspense fallback="waits">
              <Form seen={seen} isEager={false} />
              <Beside of={beside} />
            </Suspense>
          </MiningProvider>
        </StrictMode>,
      )
      const until = (text: string) => expect.poll(() => place.textContent).toContain(text)
      await until('beside')
      seen.send?.prepare(orderOf())
      await until('review')
      let come: () => void = () => undefined
      beside.wait = new Promise((resolve) => {
        come = resolve
      })
      beside.draw()
      await until('waits')
      beside.wait = null
      come()
      await expect.poll(() => place.textContent).not.toContain('waits')
      // Effects run after the screen was drawn.
      await new Promise(setImmediate)
      expect(seen.send?.state.step).toBe('review')
      root.unmount()
    },
  )

  it('that is being signed cannot be cancelled, and says so until its outcome is known', async () => {
    const form = await draw()
    form.press(({ prepare }) => prepare(orderOf()))
    await form.until('review')
    form.press(({ confirm }) => confirm())
    form.press(({ cancel }) => cancel())
    form.press(({ prepare }) => prepare(orderOf('another')))
    await form.until('signing')
    openSigner()
    await form.until('tracking')
    expect(form.forms[0]?.states.slice(form.forms[0].states.indexOf('signing'))).not.toContain('idle')
    await confirmed(1)
    form.press(({ cancel }) => cancel())
    await form.until('idle')
    form.end()
  })

  it('goes on when its form is unmounted while it is signed; the next form of the key shows it', async () => {
    const first = await draw()
    first.press(({ prepare }) => prepare(orderOf()))
    await first.until('review')
    first.press(({ confirm }) => confirm())
    first.end()
    const second = await draw()
    second.press(({ prepare }) => prepare(orderOf()))
    await second.until('signing')
    openSigner()
    await second.until('tracking')
    second.end()
    const third = await draw()
    third.press(({ prepare }) => prepare(orderOf()))
    await third.until('tracking')
    await confirmed(1)
    third.end()
  })

  it('is nothing when its form is unmounted before the review, or leaves it', async () => {
    const first = await draw()
    first.press(({ prepare }) => prepare(orderOf()))
    first.end()
    first.forms[0]?.send?.prepare(orderOf())
    const second = await draw()
    second.press(({ prepare }) => prepare(orderOf()))
    await second.until('review')
    second.press(({ cancel }) => cancel())
    await second.until('idle')
    second.press(({ confirm }) => confirm())
    second.press(({ prepare }) => prepare(orderOf(key, 0.5)))
    await second.until('review')
    second.end()
    expect(payments.list()).toEqual([])
  })

  it('is reviewed in every form of its key, and agreed to in one', async () => {
    const form = await draw({ count: 3 })
    form.press(({ prepare }) => prepare(orderOf()))
    await form.until('review')
    form.press(({ prepare }) => prepare(orderOf()), 1)
    await form.until('review', 1)
    form.press(({ prepare }) => prepare(orderOf(key, 0.5)), 2)
    await form.until('failed', 2)
    expect(form.forms[2]?.states).not.toContain('review')
    // The payments asked the first one, who leaves.
    form.press(({ cancel }) => cancel())
    await form.until('idle')
    form.press(({ confirm }) => confirm(), 1)
    openSigner()
    await form.until('tracking', 1)
    await form.until('idle')
    await confirmed(1)
    form.end()
  })

  it('asks a person whose program declined the same key elsewhere', async () => {
    let decline: (isAgreed: boolean) => void = () => undefined
    const asked = new Promise<boolean>((resolve) => {
      decline = resolve
    })
    const others = payments.pay({ ...orderOf(), consent: () => asked }).catch(({ code }) => code)
    const form = await draw()
    form.press(({ prepare }) => prepare(orderOf()))
    decline(false)
    expect(await others).toBe('PAYMENT_DECLINED')
    await form.until('review')
    form.end()
  })

  it('is declined when the provider gets other payments', async () => {
    const form = await draw()
    form.press(({ prepare }) => prepare(orderOf()))
    await form.until('review')
    const other = await createPayments({ client, wallet, journal: createMemoryJournal() })
    form.show(other)
    await form.until('idle')
    form.press(({ confirm }) => confirm())
    expect(payments.list()).toEqual([])
    form.end()
    await other.close()
  })

  it('is shown to the end when the journal drops it', async () => {
    openSigner()
    let isDropped = false
    const dropping: Payments = {
      ...payments,
      pay: payments.pay,
      list: () => (isDropped ? [] : payments.list()),
      subscribe: payments.subscribe,
    }
    const form = await draw({ given: dropping })
    form.press(({ prepare }) => prepare(orderOf()))
    await form.until('review')
    form.press(({ confirm }) => confirm())
    await form.until('tracking')
    isDropped = true
    await confirmed(1)
    await form.until('tracking')
    form.end()
  })
})
