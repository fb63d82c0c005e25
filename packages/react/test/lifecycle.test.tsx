// @vitest-environment happy-dom
import {
  type Client,
  createClient,
  createMemoryJournal,
  createPayments,
  type Payments,
} from '@hailstone/client'
import { type LocalNetwork, startLocalNetwork } from '@hailstone/local-network'
import { createMiningNode, createWallet, type MiningNode, walletFromPrivateKey } from '@hailstone/mining-node'
import {
  type ClientPort,
  type MinerPort,
  MiningProvider,
  type Reading,
  useBalance,
  useMiner,
  usePayments,
  useReferral,
  useRewards,
  useSend,
  useSnapshot,
  useToken,
} from '@hailstone/react'
import * as React from 'react'
import { type ReactNode, StrictMode, Suspense, use } from 'react'
import { createRoot, hydrateRoot, type Root } from 'react-dom/client'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'

/** The same tests run in Preact, which has no StrictMode and no `use`. */
const isReact = !('__k' in <p />)

let network: LocalNetwork
let client: Client
let node: MiningNode
let payments: Payments
const roots: Root[] = []

beforeAll(async () => {
  network = await startLocalNetwork({ blockTimeMs: 3_600_000 })
  client = createClient({ apiUrl: network.apiUrl })
  const wallet = walletFromPrivateKey(network.accounts.developers[0]?.privateKey ?? '')
  node = createMiningNode({
    wallet,
    client,
    gatewayUrl: network.gatewayUrl,
    pollIntervalMs: 100,
    blockTimeMs: 500,
  })
  await node.watch()
  await node.start()
  await network.mineUntilRewarded(node)
  payments = await createPayments({ client, wallet, journal: createMemoryJournal() })
})

afterEach(() => {
  for (const root of roots.splice(0)) root.unmount()
})

afterAll(async () => {
  await payments?.close()
  await node?.close()
  await client?.close()
  await network?.stop()
})

type Parts = { readonly node?: MinerPort; readonly client?: ClientPort; readonly payments?: Payments }

const appOf = (
  child: ReactNode,
  { node: miner = node, client: port = client, payments: paid = payments }: Parts,
) => (
  <MiningProvider node={miner} client={port} payments={paid}>
    {child}
  </MiningProvider>
)

function draw(child: ReactNode, parts: Parts = {}, isStrict = true) {
  const place = document.createElement('div')
  const root = createRoot(place)
  roots.push(root)
  const show = (next: Parts): void => {
    const app = appOf(child, next)
    root.render(isStrict ? <StrictMode>{app}</StrictMode> : app)
  }
  show(parts)
  const text = (): string => place.textContent ?? ''
  const shows = (expected: RegExp | string) => expect.poll(text).toMatch(expected)
  return { place, show, text, shows, end: () => root.unmount() }
}

const said = (reading: Reading<unknown>): string =>
  'why' in reading ? `${reading.status}: ${reading.why}` : reading.status

function All() {
  const miner = useMiner()
  const balance = useBalance()
  const { rows, isComplete, totalSince, why } = useRewards()
  const { own, code } = useReferral()
  const token = useToken()
  const { state } = useSend()
  const count = usePayments().length
  const { height } = useSnapshot()
  return (
    <p>
      {`${miner.state.status}, balance ${said(balance)}, height ${height?.value ?? '—'}, `}
      {`rows ${rows.length} ${isComplete} ${totalSince(0) ?? '—'} ${why}, agent ${own.isMet}, ${code}, `}
      {`token ${said(token)}, send ${state.step}, ${count} payments`}
    </p>
  )
}

const READ =
  /mining, balance ready, height \d+, rows 1 true [1-9]\d+ null, agent true, ref_\w+, token ready, send idle, 0 p/

function Late({ there }: { readonly there: Promise<void> }) {
  use(there)
  return <All />
}

/** A client whose answers wait, until they are let through or fail. */
function gated() {
  let open: () => void = () => undefined
  let fail: (error: Error) => void = () => undefined
  const gate = new Promise<void>((resolve, reject) => {
    open = resolve
    fail = reject
  })
  gate.catch(() => undefined)
  let asked = 0
  const through =
    <G extends readonly unknown[], T>(call: (...given: G) => Promise<T>) =>
    async (...given: G): Promise<T> => {
      asked++
      await gate
      return call(...given)
    }
  const port: ClientPort = {
    getToken: through(client.getToken),
    getRewards: through(client.getRewards),
    getMicroblock: through(client.getMicroblock),
  }
  return { port, open, fail, asked: () => asked }
}

describe('all hooks', () => {
  it('read what there is under StrictMode, when they are drawn, drawn again and given other parts', async () => {
    const first = draw(<All />)
    await first.shows(READ)
    first.end()
    const again = draw(<All />)
    await again.shows(READ)
    const stranger = createMiningNode({ wallet: createWallet(), client, gatewayUrl: network.gatewayUrl })
    again.show({ node: stranger, client: { ...client } })
    await again.shows(/^idle, balance loading, height —, rows 0 false — null/)
    again.show({})
    await again.shows(READ)
    await stranger.close()
  })

  it('drop what arrives after they were unmounted, and show it when they are drawn again', async () => {
    const failures = vi.spyOn(console, 'error').mockReturnValue()
    const { port, open, asked } = gated()
    const first = draw(<All />, { client: port })
    await expect.poll(asked).toBe(2)
    await first.shows('token loading')
    first.end()
    open()
    const again = draw(<All />, { client: port })
    await again.shows(READ)
    expect(failures).not.toHaveBeenCalled()
    failures.mockRestore()
  })

  it('keep the answers of a client that was replaced away from the next one', async () => {
    const slow = gated()
    const seen = draw(<All />, { client: slow.port })
    await expect.poll(slow.asked).toBe(2)
    const failing = gated()
    failing.fail(new Error('this one is down'))
    seen.show({ client: failing.port })
    await seen.shows(/rows 0 false — this one is down, .* token failed: this one is down/)
    slow.open()
    await seen.shows('this one is down')
    seen.show({ client: slow.port })
    await seen.shows(READ)
  })

  it.runIf(isReact)('wait in a part of the page that is not there yet', async () => {
    let come: () => void = () => undefined
    const there = new Promise<void>((resolve) => {
      come = resolve
    })
    const seen = draw(
      <Suspense fallback="waits">
        <Late there={there} />
      </Suspense>,
    )
    await seen.shows('waits')
    come()
    await seen.shows(READ)
  })

  it.runIf(isReact)('take over the markup of a server, whatever is known by then', async () => {
    const { renderToString } = await import('react-dom/server')
    const wallet = createWallet()
    const made = () =>
      createMiningNode({ wallet, client, gatewayUrl: network.gatewayUrl, pollIntervalMs: 100 })
    const [onServer, inPage] = [made(), made()]
    const place = document.createElement('div')
    place.innerHTML = renderToString(appOf(<All />, { node: onServer }))
    expect(place.textContent).toMatch(/^idle, balance loading, height —, rows 0 false — null/)
    await inPage.watch()
    await expect.poll(() => inPage.snapshot().stakes).not.toBeNull()
    const mistakes: unknown[] = []
    const onRecoverableError = (error: unknown): void => void mistakes.push(error)
    const app = appOf(<All />, { node: inPage })
    roots.push(hydrateRoot(place, app, { onRecoverableError }))
    await expect
      .poll(() => place.textContent)
      .toMatch(/balance ready, height \d+, rows 0 true 0 null, .* token ready/)
    expect(mistakes).toEqual([])
    await onServer.close()
    await inPage.close()
  })
})

function Balance() {
  return <p>{said(useBalance())}</p>
}

describe('a balance', () => {
  const without = (change: object): MinerPort => {
    const snapshot = { ...node.snapshot(), ...change }
    return { ...node, snapshot: () => snapshot, subscribe: () => () => undefined }
  }

  it('says why there is none, or no newer one', async () => {
    const api = { status: 'unused', why: 'no API was named' }
    await draw(<Balance />, { node: without({ balance: null, api }) }).shows('failed: no API was named')
    const { balance } = node.snapshot()
    await draw(<Balance />, { node: without({ balance: { ...balance, isStale: true } }) }).shows(/^stale: \w/)
  })

  it('is not loading for ever where its own request fails', async () => {
    network.faults.set({
      seed: 'no balance',
      rules: [{ on: 'api', match: { path: '/balance' }, fault: { status: { code: 500 } } }],
    })
    const own = createClient({ apiUrl: network.apiUrl })
    const { gatewayUrl } = network
    const poor = createMiningNode({ wallet: createWallet(), client: own, gatewayUrl, pollIntervalMs: 100 })
    await poor.watch()
    const seen = draw(<Balance />, { node: poor, client: own })
    await seen.shows(/failed: .*500/)
    network.faults.clear()
    await poor.close()
    await own.close()
  })
})

function Feed() {
  const { rows, totalSince, readBackTo, why } = useRewards()
  const [isAsked, setAsked] = React.useState(false)
  // Asked once, before anything is known.
  React.useEffect(() => {
    if (isAsked) return
    setAsked(true)
    void readBackTo(0)
  }, [isAsked, readBackTo])
  const sum = rows.reduce((units, { amount }) => units + amount, 0n)
  return <p>{`rows ${rows.length}, ${totalSince(0) ?? 'unknown'} of ${sum}, ${why};`}</p>
}

describe('rewards', () => {
  const watching = () =>
    createMiningNode({
      wallet: walletFromPrivateKey(network.accounts.developers[0]?.privateKey ?? ''),
      client,
      gatewayUrl: network.gatewayUrl,
      pollIntervalMs: 100,
    })

  it('that were asked for before the network was known are read then', async () => {
    const own = watching()
    const seen = draw(<Feed />, { node: own, client: { ...client } })
    await seen.shows('rows 0, unknown')
    await own.watch()
    await seen.shows(/rows 1, ([1-9]\d+) of \1, null;/)
    await own.close()
  })

  it('leave list and total when the chain takes them back, also where the node never told of them', async () => {
    await node.start()
    await network.mineUntilRewarded(node)
    const later = watching()
    await later.watch()
    const lists = [draw(<Feed />), draw(<Feed />, { node: later, client: { ...client } })]
    for (const { shows } of lists) await shows(/rows 2, ([1-9]\d+) of \1, null;/)
    // The list may be read before the node has read.
    await expect.poll(() => node.snapshot().rewards[0]?.count).toBe(2)
    await node.stop()
    await network.control.reorganise(1)
    // The chain goes on, and time passes faster: nobody is believed at once.
    const now = performance.now.bind(performance)
    let aheadMs = 0
    using _clock = vi.spyOn(performance, 'now').mockImplementation(() => now() + aheadMs)
    for (const { text } of lists)
      await expect
        .poll(async () => {
          aheadMs += 8_000
          const height = await network.control.mine(1)
          await expect.poll(() => later.snapshot().height?.value).toBe(height)
          return text()
        })
        .toMatch(/rows 1, ([1-9]\d+) of \1, null;/)
    expect(later.snapshot().lastReward).toBeNull()
    await later.close()
  })
})
