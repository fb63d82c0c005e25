import type { OpenApiDocument } from '@hailstone/protocol/reference'
import { expect, test } from 'vitest'
import { COSTLY_ROOM, costOf } from '../src/http/request-cost.ts'
import { type LocalNetwork, startLocalNetwork } from '../src/serve.ts'
import { rawMiner } from './raw-miner.ts'

type Described = OpenApiDocument['paths'][string][string]
type Body = { readonly examples?: { readonly here?: { readonly value: unknown } } }
type Operation = { readonly method: string; readonly path: string; readonly described: Described }

/** Returns every operation as the page of the reference gets it at this moment. */
async function operationsOf(network: LocalNetwork): Promise<readonly Operation[]> {
  const live = await (await fetch(`${network.docsUrl}/chain.json`)).json()
  const { paths, servers } = live as OpenApiDocument
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, described]) => {
      const [server] = (described.servers ?? servers) as OpenApiDocument['servers']
      return { method: method.toUpperCase(), path: `${server?.url}${path}`, described }
    }),
  )
}

/** Sends an operation as its form does before anything is typed. */
async function sendAsShown(network: LocalNetwork, { method, path, described }: Operation) {
  const { description = '', parameters, requestBody } = described
  const url = new URL(path, network.docsUrl)
  for (const { name, example } of parameters)
    if (example !== undefined) url.searchParams.set(name, String(example))
  const content = requestBody?.content['application/json'] as Body | undefined
  const body = JSON.stringify(content?.examples?.here?.value ?? {})
  const headers = { 'content-type': 'application/json' }
  const response = await fetch(url, method === 'GET' ? {} : { method, headers, body })
  const text = await response.text()
  return { url: String(url), status: response.status, text, description: String(description) }
}

/** Opens the page anew and sends an operation. */
async function openAndSend(network: LocalNetwork, { method, path }: Pick<Operation, 'method' | 'path'>) {
  const shown = (await operationsOf(network)).find((one) => one.path === path && one.method === method)
  if (shown === undefined) throw new Error(`the reference has no ${method} ${path}`)
  return sendAsShown(network, shown)
}

/** An answer that says "nothing": no body, an empty list, a history without records. */
const isEmpty = (text: string): boolean =>
  ['', '[]', '{}', 'null'].includes(text) || text.includes('"records":[]')

/** What a description says of values that the chain does not have. */
const MISSING = /Nothing was mined yet|Nobody earned|Nothing waits|Nobody delegates|Nobody takes|There is no/

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
  // The chain holds still, so that what waits still waits when it is asked for.
  await network.control.pause()
  const payment = { method: 'POST', path: '/api/v1/tx' }
  const [one, other] = [await openAndSend(network, payment), await openAndSend(network, payment)]
  for (const { status, text } of [one, other])
    expect([status, text]).toEqual([200, expect.stringContaining('"err":0')])
  // A new one each time that the page is opened.
  expect(one.text).not.toBe(other.text)

  const operations = await operationsOf(network)
  expect(operations.length).toBeGreaterThan(80)
  const questions = operations.filter(({ method }) => method === 'GET')
  const orders = operations.filter(({ method }) => method === 'POST')
  const answers = await Promise.all(questions.map((question) => sendAsShown(network, question)))
  expect(answers.filter(({ status }) => status !== 200)).toEqual([])
  const empty = answers.filter(({ text }) => isEmpty(text)).map(({ url }) => new URL(url).pathname)
  // No operator announces versions or cities of nodes here.
  expect(empty).toEqual(['/api/v1/ver', '/api/v1/peer_map'].filter((path) => empty.includes(path)))
  expect(answers.filter(({ description }) => MISSING.test(description))).toEqual([])

  // What changes the network, in the order of the page, but for what others need first.
  const first = ['/control/v1/snapshot', '/control/v1/mine']
  const ordered = [...orders].sort((a, b) => first.indexOf(b.path) - first.indexOf(a.path))
  for (const order of ordered) {
    const { status, text, url, description } = await openAndSend(network, order)
    expect(status, `${url}: ${text}`).toBe(200)
    expect(text, url).not.toContain('"err":1')
    expect(description, url).toContain('**Changes this network.**')
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
  const reported: string[] = []
  for (const operation of await operationsOf(network)) {
    if (operation.method !== 'GET') continue
    const { status, description, url } = await sendAsShown(network, operation)
    // A required value that the chain does not have is asked for in the form.
    if (!MISSING.test(description)) expect(status, url).toBe(200)
    else reported.push(operation.described.operationId, description)
  }
  expect(reported).toContain('getTx')
  expect(reported.join(' ')).toContain('POST /tx')
  expect(reported.join(' ')).toContain('hailstone mine')
})

test('samples in TypeScript hold values of this chain: an action of the client where there is one, else fetch', async () => {
  await using network = await startLocalNetwork({ seed: 'samples of the reference', blockTimeMs: 3_600_000 })
  await network.control.mine(2)
  const operations = await operationsOf(network)
  const samples = operations.map(({ method, path, described }) => {
    const [sample] = described['x-codeSamples'] as readonly { readonly source: string }[]
    return [`${method} ${path}`, sample?.source ?? ''] as const
  })
  const of = (path: string, method = 'GET'): string =>
    Object.fromEntries(samples)[`${method} /api/v1/${path}`] ?? ''
  expect(of('height')).toBe(
    [
      "import { createClient } from '@hailstone/client'",
      '',
      `const client = createClient({ apiUrl: '${network.apiUrl}' })`,
      'const answer = await client.getHeight()',
      'await client.close()',
    ].join('\n'),
  )
  expect(of('balance')).toMatch(
    /getBalance\(\{ address: parseAddress\('0[23][0-9a-f]{64}'\), tokenId: parseTokenId\('[0-9a-f]{64}'\) \}\)/,
  )
  expect(of('tx', 'POST')).toContain('client.sendTransaction({ wallet, to, amount })')
  expect(of('faucet', 'POST')).toMatch(/requestTestCoins\(\{ address \}\)/)
  expect(of('ver')).toContain(`fetch('${network.apiUrl}/ver')`)
  for (const [path, source] of samples) expect(source, path).toMatch(/await (?:client\.|fetch\()/)
})

test('the page and its parts are few and come from this node, and a browser loads 1.5 MB once', async () => {
  await using network = await startLocalNetwork({ seed: 'bytes of the reference', blockTimeMs: 3_600_000 })
  const html = await (await fetch(network.docsUrl)).text()
  const parts = [...html.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, part = '']) => part)
  expect(parts).toEqual(['hailstone.svg', 'scalar.js', 'reference.js', 'json'].map((name) => `/docs/${name}`))
  const scalar = await fetch(`${network.docsUrl}/scalar.js`)
  expect(scalar.headers.get('content-encoding')).toBe('gzip')
  expect(Number(scalar.headers.get('content-length'))).toBeLessThan(1_500_000)
  expect(await scalar.text()).toContain('createApiReference')
  const live = await (await fetch(`${network.docsUrl}/chain.json`)).text()
  expect(live.length).toBeLessThan(400_000)
  // two at once, after whoever asks for less.
  expect(costOf('/docs/chain.json')).toBe(COSTLY_ROOM / 2)
  // Whatever would ask another server is off.
  const script = await (await fetch(`${network.docsUrl}/reference.js`)).text()
  for (const setting of [
    '"telemetry":false',
    '"withDefaultFonts":false',
    '"agent":{"disabled":true}',
    '"mcp":{"disabled":true}',
  ])
    expect(script).toContain(setting)
})
