import { expect, test } from 'vitest'
import type { OperationExample } from '../src/http/reference/chain-examples.ts'
import type { PageContents } from '../src/http/reference/page-contents.ts'
import { type LocalNetwork, startLocalNetwork } from '../src/serve.ts'
import { rawMiner } from './raw-miner.ts'

type Operation = {
  readonly id: string
  readonly method: string
  readonly path: string
}

/** Returns the data of the reference page. */
async function pageOf(network: LocalNetwork) {
  const html = await (await fetch(network.docsUrl)).text()
  const [, json = ''] = /<script type="application\/json" id="contents">(.*)<\/script>/.exec(html) ?? []
  const contents = JSON.parse(json) as PageContents
  return {
    html,
    contents,
    operations: contents.groups.flatMap(({ entries }): readonly Operation[] => entries),
  }
}

const examplesOf = async (network: LocalNetwork): Promise<Readonly<Record<string, OperationExample>>> =>
  (await (await fetch(`${network.docsUrl}/examples`)).json()) as Readonly<Record<string, OperationExample>>

/** Sends an operation as its form does before anything is typed. */
async function sendAsShown(network: LocalNetwork, { id, method, path }: Operation) {
  const example = (await examplesOf(network))[id]
  const query = new URLSearchParams(example?.values ?? {}).toString()
  const url = new URL(path + (query === '' ? '' : `?${query}`), network.docsUrl)
  const headers = { 'content-type': 'application/json' }
  const response = await fetch(url, method === 'GET' ? {} : { method, headers, body: example?.body ?? '' })
  return { url: String(url), status: response.status, text: await response.text(), example }
}

/** An answer that says "nothing": no body, an empty list, a history without records. */
const isEmpty = (text: string): boolean =>
  ['', '[]', '{}', 'null'].includes(text) || text.includes('"records":[]')

/** A chain with every kind of reward, an agent, and undelegated coins of a stake pool. */
async function withHistory(network: LocalNetwork): Promise<() => void> {
  const [miner, agent] = network.accounts.developers
  if (miner === undefined || agent === undefined) throw new Error('there are five developers')
  const raw = await rawMiner(network.gatewayUrl, miner)
  raw.hail({ referrer: agent.address })
  raw.mine({ referrer: agent.address })
  const amount = 50n * 10n ** 10n
  const poolId = network.stakePoolId
  await network.sendOrder({ type: 'delegate', poolId, amount: amount as never }, { from: agent })
  await network.sendOrder({ type: 'undelegate', poolId, amount: amount as never }, { from: agent })
  const rewards = new URL(`${network.apiUrl}/account_refreward?id=${agent.address}&page=0`)
  await expect.poll(async () => (await fetch(rewards)).text()).toContain('"refreward":')
  return raw.close
}

test('every operation answers 2xx with something to the values that its form begins with', async () => {
  await using network = await startLocalNetwork({
    seed: 'reference',
    blockTimeMs: 300,
    control: true,
    gateway: { feederIntervalMs: 10, beaconIntervalMs: 10 },
  })
  const close = await withHistory(network)
  const { operations } = await pageOf(network)
  expect(operations.length).toBeGreaterThan(80)
  const questions = operations.filter(({ method }) => method === 'GET')
  const orders = operations.filter(({ method }) => method === 'POST')
  // The chain holds still, so that what waits still waits when it is asked for.
  await network.control.pause()
  const payment = orders.find(({ id }) => id === 'postTx')
  if (payment === undefined) throw new Error('the reference has no POST /tx')
  expect(await sendAsShown(network, payment)).toMatchObject({
    status: 200,
    text: expect.stringContaining('"err":0'),
  })
  const answers = await Promise.all(questions.map((question) => sendAsShown(network, question)))
  expect(answers.filter(({ status }) => status !== 200)).toEqual([])
  const empty = answers.filter(({ text }) => isEmpty(text)).map(({ url }) => new URL(url).pathname)
  // No operator announces versions or cities of nodes here.
  expect(empty).toEqual(['/api/v1/ver', '/api/v1/peer_map'].filter((path) => empty.includes(path)))
  expect(answers.flatMap(({ example }) => example?.missing ?? [])).toEqual([])

  // What changes the network, in the order of the page, but for what others need first.
  const first = ['postSnapshot', 'postMine']
  const ordered = [...orders].sort((a, b) => first.indexOf(b.id) - first.indexOf(a.id))
  for (const order of ordered) {
    const { status, text, url } = await sendAsShown(network, order)
    expect(status, `${url}: ${text}`).toBe(200)
    expect(text, url).not.toContain('"err":1')
  }
  close()
})

test('a chain on which nothing happened answers too, and the forms say what is missing and how to get it', async () => {
  await using network = await startLocalNetwork({
    seed: 'reference of an empty chain',
    blockTimeMs: 3_600_000,
    keepAlive: false,
    fallbackMiner: false,
  })
  const { operations } = await pageOf(network)
  const reported: string[] = []
  for (const operation of operations.filter(({ method }) => method === 'GET')) {
    const { status, example, url } = await sendAsShown(network, operation)
    // A required value that the chain does not have is asked for in the form.
    const isWhole = example === undefined || example.missing.length === 0
    if (isWhole) expect(status, url).toBe(200)
    else reported.push(operation.id, ...example.missing)
  }
  expect(reported).toContain('getTx')
  expect(reported.join(' ')).toContain('POST /tx')
  expect(reported.join(' ')).toContain('hailstone mine')
})

test('the page and one operation are a few files of few bytes, from this node alone', async () => {
  await using network = await startLocalNetwork({ seed: 'bytes of the reference', blockTimeMs: 3_600_000 })
  const { html } = await pageOf(network)
  const parts = [...html.matchAll(/(?:src|href)="(\/docs\/[^"]+)"/g)].map(([, part = '']) => part)
  expect(parts).toHaveLength(4)
  const pages = [
    ...parts.filter((part) => part !== '/docs/json'),
    '/docs/operations/getBalance',
    '/docs/examples',
  ]
  const sizes = await Promise.all(
    pages.map(async (path) => (await (await fetch(new URL(path, network.docsUrl))).arrayBuffer()).byteLength),
  )
  const bytes = sizes.reduce((sum, size) => sum + size, Buffer.byteLength(html))
  // The page it replaces was 1.9 MB.
  expect(bytes).toBeLessThan(80_000)
})
