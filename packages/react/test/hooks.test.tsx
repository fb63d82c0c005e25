// @vitest-environment happy-dom
import {
  type Client,
  createClient,
  createMemoryJournal,
  createPayments,
  type Payments,
} from '@hailstone/client'
import { type LocalNetwork, startLocalNetwork } from '@hailstone/local-network'
import { createMiningNode, formatAmount, type MiningNode, walletFromPrivateKey } from '@hailstone/mining-node'
import { createAccountWatch } from '@hailstone/mining-node/watch'
import { parseAmount } from '@hailstone/protocol'
import {
  lastValue,
  MiningProvider,
  useBalance,
  useMiner,
  usePayments,
  useReferral,
  useRewards,
  useSend,
  useToken,
} from '@hailstone/react'
import type { ReactNode } from 'react'
import { createRoot } from 'react-dom/client'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

let network: LocalNetwork
let client: Client
let node: MiningNode
let payments: Payments
const decimals = 10

beforeAll(async () => {
  network = await startLocalNetwork({ blockTimeMs: 800 })
  client = createClient({ apiUrl: network.apiUrl })
  const [developer] = network.accounts.developers
  const wallet = walletFromPrivateKey(developer?.privateKey ?? '')
  const { gatewayUrl } = network
  node = createMiningNode({ wallet, client, gatewayUrl, blockTimeMs: 800 })
  payments = await createPayments({
    client,
    wallet,
    journal: createMemoryJournal(),
    confirmations: 1,
    pollMs: 50,
  })
})

afterAll(async () => {
  await payments?.close()
  await node?.stop()
  await client?.close()
  await network?.stop()
})

function draw(child: ReactNode): {
  readonly text: () => string
  readonly press: (name: string) => Promise<void>
  readonly end: () => void
} {
  const place = document.createElement('div')
  document.body.append(place)
  const root = createRoot(place)
  root.render(
    <MiningProvider node={node} client={client} payments={payments}>
      {child}
    </MiningProvider>,
  )
  const button = (name: string) =>
    [...place.querySelectorAll('button')].find(({ textContent }) => textContent === name)
  const press = async (name: string): Promise<void> => {
    await expect.poll(() => button(name)).toBeDefined()
    button(name)?.click()
  }
  return { text: () => place.textContent ?? '', press, end: () => root.unmount() }
}

const shows = (seen: { readonly text: () => string }, expected: RegExp | string): Promise<void> =>
  expect.poll(seen.text, { interval: 50 }).toMatch(expected)

function Account() {
  const { isMining, isRunning, state, start, stop } = useMiner()
  const balance = useBalance()
  const token = lastValue(useToken())
  const referral = useReferral()
  const amount = lastValue(balance)?.amount
  return (
    <>
      <p>{`balance ${balance.status} ${amount === undefined ? '—' : formatAmount(amount, { decimals })};`}</p>
      <p>{`token ${token?.symbol ?? '—'}; share ${referral.shareBps ?? '—'};`}</p>
      <p>{`agent condition ${referral.own.isMet ?? '—'}; code ${referral.code.slice(0, 6)};`}</p>
      <p>{`miner ${state.status} ${isMining};`}</p>
      <button type="button" onClick={() => void (isRunning ? stop() : start())}>
        {isRunning ? 'Stop' : 'Start'}
      </button>
    </>
  )
}

function Feed() {
  const { rows, totalSince, isComplete, readMore } = useRewards()
  const total = totalSince(Date.now() - 86_400_000)
  const sum = rows.reduce((units, row) => units + row.amount, 0n)
  return (
    <>
      <p>{`rows ${rows.length}; complete ${isComplete}; same ${total === null ? '—' : total === sum};`}</p>
      <button type="button" onClick={() => void readMore(20)}>
        More
      </button>
    </>
  )
}

function Pay({ text }: { readonly text: string }) {
  const { state, prepare, confirm } = useSend()
  const to = network.accounts.developers[1]?.address ?? node.address
  const count = usePayments().length
  const amount = parseAmount(text, { decimals })
  return (
    <>
      <p>{`step ${state.step}; ${count} payments;`}</p>
      {state.step === 'review' && (
        <p>{`fee ${formatAmount(state.summary.fee, { decimals })} net ${formatAmount(state.summary.net, { decimals })};`}</p>
      )}
      {state.step === 'tracking' && <p>{`payment ${state.payment.state.status};`}</p>}
      {state.step === 'failed' && <p>{`failed ${'code' in state.error ? state.error.code : ''};`}</p>}
      <button type="button" onClick={() => prepare({ to, amount })}>
        Prepare
      </button>
      <button type="button" onClick={confirm}>
        Confirm
      </button>
    </>
  )
}

const failures: unknown[] = []

function Watched() {
  const { isMining, start } = useMiner()
  const heights = useRewards().rows.map(({ height }) => height)
  return (
    <>
      <p>{`mining ${isMining}; heights ${heights.length > 0 && heights.every(Number.isInteger)};`}</p>
      <button type="button" onClick={() => void start().catch((error) => failures.push(String(error)))}>
        Start
      </button>
    </>
  )
}

describe('the hooks over a live network', () => {
  it('shows what is not known as not known, then what the network says', async () => {
    const seen = draw(<Account />)
    await shows(seen, 'balance loading —')
    expect(seen.text()).not.toMatch(/balance \w+ 0;/)
    await node.watch()
    await shows(seen, 'balance ready 100000')
    await shows(seen, 'token DEV; share 2574;')
    await shows(seen, 'agent condition true; code ref_77')
    seen.end()
  })

  it('starts and stops, and says mining only after a signature', async () => {
    const seen = draw(<Account />)
    await seen.press('Start')
    await shows(seen, 'miner mining true')
    expect(node.snapshot().publications.published).toBeGreaterThan(0)
    seen.end()
  })

  it('derives totals from the rows it shows, and never a part of one', async () => {
    const seen = draw(<Feed />)
    await shows(seen, /rows [1-9]\d*; complete (true; same true|false; same —)/)
    await seen.press('More')
    await shows(seen, 'complete true; same true')
    seen.end()
  })

  it('shows fee and net amount of the very bytes, and follows them to the ledger', async () => {
    const seen = draw(<Pay text="1" />)
    await seen.press('Prepare')
    // One coin can be paid: a fee of a tenth of a coin is within the cap, whatever its share.
    await shows(seen, 'step review; 0 payments;fee 0.1 net 0.9')
    seen.end()
    const larger = draw(<Pay text="20" />)
    await larger.press('Prepare')
    await shows(larger, 'step review; 0 payments;fee 0.1 net 19.9')
    await larger.press('Confirm')
    await shows(larger, 'payment confirmed')
    expect(larger.text()).toContain('1 payments')
    larger.end()
  })

  it('shows an account that another program mines for, with no key of it', async () => {
    const [{ address }] = network.accounts.developers
    await using watch = createAccountWatch({ address, client, blockTimeMs: 800 })
    await watch.watch()
    const place = document.createElement('div')
    const root = createRoot(place)
    root.render(
      <MiningProvider node={watch} client={client}>
        <Account />
        <Watched />
      </MiningProvider>,
    )
    const seen = { text: () => place.textContent ?? '' }
    await shows(seen, 'balance ready')
    await shows(seen, 'mining false; heights true;')
    place.querySelectorAll('button')[1]?.click()
    await expect.poll(() => failures).toEqual([expect.stringContaining('which does not mine')])
    root.unmount()
  })

  it('keeps the last balance when the interface goes silent, and says that it is old', async () => {
    const lonely = createClient({ apiUrl: 'http://127.0.0.1:9/api/v1' })
    const [, developer] = network.accounts.developers
    const stranger = createMiningNode({
      wallet: walletFromPrivateKey(developer?.privateKey ?? ''),
      client: lonely,
      gatewayUrl: network.gatewayUrl,
      pollIntervalMs: 100,
    })
    const place = document.createElement('div')
    const root = createRoot(place)
    root.render(
      <MiningProvider node={stranger} client={lonely}>
        <Account />
      </MiningProvider>,
    )
    await stranger.watch()
    await shows({ text: () => place.textContent ?? '' }, 'balance failed —')
    root.unmount()
    await stranger.stop()
    await lonely.close()
  })
})
