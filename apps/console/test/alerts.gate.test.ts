import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import type { LookupFunction } from 'node:net'
import { fileURLToPath } from 'node:url'
import { type Client, createClient } from '@hailstone/client'
import { type Index, type IndexPlace, openIndex } from '@hailstone/indexer'
import { openBrowser } from '@hailstone/test-browser'
import { sql } from 'kysely'
import { afterEach, describe, expect, it } from 'vitest'
import { type Receiver, startReceiver } from '../../../packages/hailstone/test/webhook-receiver.ts'
import { openTestChain, type TestChain, transfer } from '../../../packages/indexer/test/test-chain.ts'
import { describeEngines } from '../../../packages/local-network/test/engines.ts'
import { payloads } from '../../white-label/test/hostile-texts.ts'
import { alertKindNames } from '../src/alerts/alert-kinds.ts'
import type { AlertsData } from '../src/alerts/alert-routes.ts'
import { openAlertTables } from '../src/alerts/alert-tables.ts'
import { type Alerts, openAlerts } from '../src/alerts/alerts.ts'
import { createMail, type SendMail } from '../src/alerts/send-mail.ts'
import { createWebhookGate, type WebhookGate } from '../src/alerts/webhook-gate.ts'
import { follow } from '../src/follow.ts'
import { openLabelTables } from '../src/labels/label-tables.ts'
import { type Follower, openFollower } from '../src/open-follower.ts'
import { serveConsole } from '../src/serve-console.ts'
import { axeFindings } from './axe-findings.ts'
import { startMailServer } from './mail-server.ts'

const endings: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const end of endings.splice(0).reverse()) await end()
})

function opened<T extends AsyncDisposable>(one: T): T {
  endings.push(async () => one[Symbol.asyncDispose]())
  return one
}

const until = async (isReached: () => boolean | Promise<boolean>): Promise<void> => {
  while (!(await isReached())) await new Promise((resolve) => setTimeout(resolve, 20))
}

/**
 * Closes the open macroblock, in which a developer mined the token or another one.
 *
 * @param next seconds from its key block to the next one
 */
async function close(chain: TestChain, { isMined, next }: { isMined: boolean; next: number }): Promise<void> {
  const [miner, other] = chain.genesis.accounts.developers
  if (miner === undefined || other === undefined) throw new Error('the genesis has developers')
  const native = chain.genesis.tokens.native.id
  const payment = transfer({ from: miner.address, to: other.address, amount: 5n, tokenId: native })
  const tokenId = isMined ? chain.token.id : native
  await chain.close([{ publisher: miner.address, tokenId, transactions: [payment] }], next)
}

const HOUR = 3600

/** Waits between attempts pass so many times as fast. Processes share the clock, since a message is claimed by it. */
const SPEED = 20
const quickly = { now: () => SPEED * Date.now(), lookEveryMs: 1000 / SPEED }

type World = {
  readonly chain: TestChain
  readonly follower: Follower
  readonly alerts: Alerts
  readonly client: Client
  readonly index: Index
}

/** A real chain with two mined macroblocks, the next an hour later, its index, and one rule: not mined for an hour. */
async function begin({
  gate = createWebhookGate({ allowsLoopback: true }),
  mail,
  place = {},
  isQuick = false,
}: {
  readonly gate?: WebhookGate
  readonly mail?: SendMail
  readonly place?: IndexPlace
  readonly isQuick?: boolean
} = {}): Promise<World> {
  const chain = opened(await openTestChain(`alerts ${Math.random()}`))
  for (const next of [60, HOUR]) await close(chain, { isMined: true, next })
  const index = opened(await openIndex(place))
  await openLabelTables(index)
  const client = opened(createClient({ apiUrl: chain.apiUrl }))
  const follower = opened(await openFollower({ index, client, tokenId: chain.token.id }))
  const alerts = await openAlerts({ follower, gate, mail, ...(isQuick ? quickly : {}) })
  await onlyNotMined(alerts)
  return { chain, follower, alerts, client, index }
}

async function onlyNotMined({ queries }: Alerts): Promise<void> {
  await queries.updateTable('alert').set({ is_on: false }).where('kind', '<>', 'notMined').execute()
}

async function look({ follower, alerts }: World): Promise<void> {
  await follower.catchUp()
  await alerts.evaluate()
}

/** Adds a receiver that verifies with the secret it was given, and delivers to it. */
async function receive({ alerts }: World): Promise<Receiver> {
  const receiver = await addReceiver(alerts)
  deliver(alerts)
  return receiver
}

async function addReceiver(alerts: Alerts): Promise<Receiver> {
  const receiver = opened(await startReceiver())
  const { secret } = await alerts.addReceiver(receiver.url)
  if (secret === null) throw new Error('a webhook has a secret')
  receiver.useSecret(secret)
  return receiver
}

/** Delivers until the end of the test. */
function deliver(alerts: Alerts): void {
  const ending = new AbortController()
  const delivering = alerts.deliver(ending.signal)
  endings.push(async () => {
    ending.abort()
    await delivering
  })
}

const typesOf = (receiver: Receiver): readonly unknown[] => receiver.taken().map(({ body }) => body.type)

const stateOf = async ({ alerts }: World) =>
  alerts.queries.selectFrom('alert').selectAll().where('kind', '=', 'notMined').executeTakeFirstOrThrow()

describeEngines('an alert', (engine) => {
  const beginThere = async (more: Parameters<typeof begin>[0] = {}): Promise<World> =>
    begin({ place: await engine.newPlace(), ...more })

  it('is sent once for each start and each end, to a receiver that fails first', async () => {
    const world = await beginThere({ isQuick: true })
    const receiver = await receive(world)
    await receiver.setMood('failing')
    await look(world)
    expect(await stateOf(world)).toMatchObject({ state: 'quiet', value: 0 })
    await close(world.chain, { isMined: false, next: HOUR })
    for (let again = 0; again < 3; again++) await look(world)
    await close(world.chain, { isMined: false, next: 60 })
    await look(world)
    expect(await stateOf(world)).toMatchObject({ state: 'active', value: 120, height: 2, episode: 1 })
    await until(() => (receiver.asked().failing ?? 0) > 1)
    await receiver.setMood('well')
    await until(() => receiver.taken().length === 1)
    expect(receiver.taken()[0]?.body).toMatchObject({
      type: 'alertStarted',
      data: { isTest: false, kind: 'notMined', value: 60, threshold: 60, height: 2, episode: 1 },
    })
    await close(world.chain, { isMined: true, next: 2 * HOUR })
    for (let again = 0; again < 3; again++) await look(world)
    await until(() => receiver.taken().length === 2)
    await close(world.chain, { isMined: false, next: 60 })
    await look(world)
    await until(() => receiver.taken().length === 3)
    expect(typesOf(receiver)).toStrictEqual(['alertStarted', 'alertEnded', 'alertStarted'])
    expect(new Set(receiver.taken().map(({ id }) => id)).size).toBe(3)
    expect(receiver.refused()).toBe(0)
  })

  it('that one receiver refuses or holds back is in no way of what others and later ones get', async () => {
    const world = await beginThere()
    const { queries } = world.alerts
    const [refusing, hanging, busy, well] = [
      await addReceiver(world.alerts),
      await addReceiver(world.alerts),
      await addReceiver(world.alerts),
      await addReceiver(world.alerts),
    ]
    await refusing.setMood('refusing')
    await hanging.setMood('hanging')
    await busy.setMood('busy')
    const messagesFor = async ({ url }: Receiver) =>
      queries
        .selectFrom('delivery')
        .innerJoin('receiver', 'receiver.id', 'delivery.receiver')
        .select(['event', 'at_ms', 'due_ms', 'settled_ms', 'outcome'])
        .where('url', '=', url)
        .orderBy('at_ms')
        .execute()
    deliver(world.alerts)
    await look(world)
    await close(world.chain, { isMined: false, next: 60 })
    await look(world)
    await until(() => hanging.asked().hanging === 1)
    await until(async () => (await messagesFor(refusing))[0]?.settled_ms != null)
    await until(async () => (await messagesFor(busy))[0]?.outcome != null)
    await refusing.setMood('well')
    await close(world.chain, { isMined: true, next: 60 })
    await look(world)
    await until(() => refusing.taken().length === 1 && well.taken().length === 2)
    expect([typesOf(refusing), typesOf(well)]).toStrictEqual([['alertEnded'], ['alertStarted', 'alertEnded']])
    const [first] = await messagesFor(refusing)
    expect([first?.event, first?.outcome, refusing.asked().refusing]).toStrictEqual([
      'started',
      'status 410',
      1,
    ])
    // It asked for an hour, and is asked again after a quarter.
    const [waiting] = await messagesFor(busy)
    expect(waiting).toMatchObject({ settled_ms: null, outcome: 'status 429' })
    expect((waiting?.due_ms ?? 0) - (waiting?.at_ms ?? 0)).toBeGreaterThanOrEqual(15 * 60_000)
    expect(busy.asked().busy).toBe(1)
  })

  it('is sent once by two consoles with the same tables', async () => {
    const world = await beginThere()
    const gate = createWebhookGate({ allowsLoopback: true })
    const other = await openAlerts({ follower: world.follower, gate })
    const receiver = await addReceiver(world.alerts)
    const { queries } = world.alerts
    const { id: alert } = await stateOf(world)
    const { id } = await queries.selectFrom('receiver').select('id').executeTakeFirstOrThrow()
    const messages = Array.from({ length: 20 }, (_, number) => ({
      ...{ id: `evt-${number}`, receiver: id, alert, event: 'started', body: '{}', at_ms: number, due_ms: 0 },
      ...{ attempts: 0, settled_ms: null, outcome: null },
    }))
    await queries.insertInto('delivery').values(messages).execute()
    deliver(world.alerts)
    deliver(other)
    const left = () => queries.selectFrom('delivery').select('id').where('settled_ms', 'is', null).execute()
    await until(async () => (await left()).length === 0)
    expect(receiver.taken().map((taken) => taken.id)).toStrictEqual(messages.map((message) => message.id))
  })

  it('is not judged by a console that lost its tables or cannot judge, which status and metrics say', async () => {
    const world = await beginThere()
    const { follower, alerts, index, chain } = world
    const server = opened(await serveConsole({ follower, alerts }))
    const judged = async (): Promise<string | undefined> =>
      /^hailstone_console_alerts_judged (\d)$/m.exec(await (await fetch(`${server.url}/metrics`)).text())?.[1]
    await look(world)
    const ending = new AbortController()
    const following = follow({ follower, alerts, pollMs: 50 }, ending.signal)
    endings.push(async () => {
      ending.abort()
      await following
    })
    const failure = () => follower.status().alertsFailure
    await sql`alter table hailstone_console.alert rename to away`.execute(index.queries)
    await until(() => failure() !== null)
    await sql`alter table hailstone_console.away rename to alert`.execute(index.queries)
    expect(failure()).toMatch(/^Alerts are not judged: .*alert/)
    await until(() => failure() === null)
    expect(await judged()).toBe('1')

    await index.queries.updateTable('cursor').set({ holder: 'another' }).execute()
    await close(chain, { isMined: false, next: 60 })
    await until(() => failure() !== null)
    expect(failure()).toBe('Alerts are not judged here: another process writes the tables.')
    expect(await judged()).toBe('0')
    expect(await stateOf(world)).toMatchObject({ state: 'quiet', value: 0 })
  })

  it('goes by mail too, to a server that refuses it at first, and to nobody while no server is set', async () => {
    const server = opened(await startMailServer(1))
    const world = await beginThere({
      mail: createMail({ url: server.url, from: 'console@example.com' }),
      isQuick: true,
    })
    await expect(world.alerts.addReceiver('partner@example.com>')).rejects.toThrow('no address')
    expect(await world.alerts.addReceiver('mailto:partner@example.com')).toMatchObject({ secret: null })
    deliver(world.alerts)
    await look(world)
    await close(world.chain, { isMined: false, next: 60 })
    for (let again = 0; again < 3; again++) await look(world)
    await until(() => server.taken.length === 1)
    await close(world.chain, { isMined: true, next: 60 })
    await look(world)
    await until(() => server.taken.length === 2)
    expect(server.taken.map(({ text }) => /^Subject: (.*)\r\n/m.exec(text)?.[1])).toStrictEqual([
      `[${world.chain.token.symbol}] Alert started: Token not mined`,
      `[${world.chain.token.symbol}] Alert ended: Token not mined`,
    ])
    const without = await beginThere()
    await expect(without.alerts.addReceiver('partner@example.com')).rejects.toThrow('No mail server is set')
  })

  it('has its first rules once, also in the tables of a console that noted no steps', async () => {
    const { index, chain, alerts } = await beginThere()
    const rules = () => alerts.queries.selectFrom('alert').selectAll().orderBy('id').execute()
    const [first] = await rules()
    await alerts.removeRule(first?.id ?? '')
    const left = await rules()
    expect(left.length).toBe(alertKindNames.length - 1)
    await Promise.all([1, 2, 3].map(() => openAlertTables(index, chain.token.id)))
    expect(await rules()).toStrictEqual(left)
    await sql`drop table hailstone_console.alert_setup, hailstone_console.alert_migration`.execute(
      index.queries,
    )
    await openAlertTables(index, chain.token.id)
    expect(await rules()).toStrictEqual(left)
    // Also where somebody had removed all of them.
    for (const { id } of left) await alerts.removeRule(id)
    await sql`drop table hailstone_console.alert_setup, hailstone_console.alert_migration`.execute(
      index.queries,
    )
    await openAlertTables(index, chain.token.id)
    expect(await rules()).toStrictEqual([])
  })

  it('has its first rules once where several consoles begin at once', async () => {
    const index = opened(await openIndex(await engine.newPlace()))
    await Promise.all([1, 2, 3, 4].map(() => openAlertTables(index, 'ab'.repeat(32))))
    const { rows } = await sql`select kind from hailstone_console.alert`.execute(index.queries)
    expect(rows.length).toBe(alertKindNames.length)
  })

  it('is withdrawn by a reorganisation, and goes on where the other branch has it too', async () => {
    const world = await beginThere()
    const { chain } = world
    const receiver = await receive(world)
    await look(world)
    await close(chain, { isMined: false, next: HOUR })
    await look(world)
    const first = await stateOf(world)
    expect(first).toMatchObject({ state: 'active', height: 2 })

    await chain.rewind(2)
    await close(chain, { isMined: false, next: 60 })
    await close(chain, { isMined: false, next: 60 })
    await look(world)
    expect(world.follower.status().reorganisations).toBe(1)
    const second = await stateOf(world)
    expect(second).toMatchObject({ state: 'active', height: 3, episode: 1, value: 61 })
    expect(second.next_hash).not.toBe(first.next_hash)

    await chain.rewind(2)
    for (let block = 0; block < 3; block++) await close(chain, { isMined: true, next: 60 })
    await look(world)
    expect(await stateOf(world)).toMatchObject({ state: 'quiet', height: null, episode: 1 })
    await until(() => receiver.taken().length === 2)
    expect(typesOf(receiver)).toStrictEqual(['alertStarted', 'alertWithdrawn'])
  })

  it('starts once and ends once, whenever the console is killed', async () => {
    const place = await engine.newPlace()
    const chain = opened(await openTestChain('killed console'))
    for (const next of [60, HOUR]) await close(chain, { isMined: true, next })
    const receiver = await prepare(chain, place)
    let newest: ChildProcess | undefined
    const run = async (stopsBeforeDelivery: boolean): Promise<ChildProcess> => {
      const parameters = {
        apiUrl: chain.apiUrl,
        tokenId: chain.token.id,
        place,
        speed: SPEED,
        stopsBeforeDelivery,
      }
      const child = spawn(
        process.execPath,
        [fileURLToPath(new URL('./alerts-child.mjs', import.meta.url)), JSON.stringify(parameters)],
        { stdio: ['ignore', 'pipe', 'inherit'] },
      )
      newest = child
      endings.push(() => kill(child))
      for await (const part of child.stdout ?? []) if (String(part).includes('decided')) break
      return child
    }

    await close(chain, { isMined: false, next: HOUR })
    await kill(await run(true))
    expect(receiver.taken()).toHaveLength(0)
    // The second one finds the decision of the first, and is killed while the receiver answers.
    receiver.beforeAnswer(() => void newest?.kill('SIGKILL'))
    const second = await run(false)
    await until(() => receiver.taken().length === 1)
    await kill(second)
    const third = await run(false)
    await until(() => receiver.taken().length === 2)
    await kill(third)
    await close(chain, { isMined: true, next: 60 })
    const fourth = await run(false)
    await until(() => typesOf(receiver).includes('alertEnded'))
    await kill(fourth)
    const ids = new Map(receiver.taken().map(({ id, body }) => [id, body.type]))
    expect([...ids.values()]).toStrictEqual(['alertStarted', 'alertEnded'])
  })
})

async function kill(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = once(child, 'exit')
  child.kill('SIGKILL')
  await ended
}

/** An index with one rule and one receiver, which nobody has open. */
async function prepare(chain: TestChain, place: IndexPlace): Promise<Receiver> {
  await using client = createClient({ apiUrl: chain.apiUrl })
  await using index = await openIndex(place)
  await using follower = await openFollower({ index, client, tokenId: chain.token.id })
  const gate = createWebhookGate({ allowsLoopback: true })
  const alerts = await openAlerts({ follower, gate, ...quickly })
  await onlyNotMined(alerts)
  await follower.catchUp()
  await alerts.evaluate()
  return await addReceiver(alerts)
}

describeEngines('the API of alerts', (engine) => {
  async function serve(world: World) {
    const server = opened(await serveConsole({ follower: world.follower, alerts: world.alerts }))
    const signedIn = await fetch(server.signInUrl(), { redirect: 'manual' })
    const cookie = signedIn.headers.get('set-cookie')?.split(';')[0] ?? ''
    const session = await fetch(`${server.url}/v1/session`, { headers: { cookie } })
    const { csrf } = (await session.json()) as { readonly csrf: string }
    const send = (method: string, path: string, body?: object, more: Readonly<Record<string, string>> = {}) =>
      fetch(`${server.url}${path}`, {
        method,
        headers: {
          cookie,
          'hailstone-csrf': csrf,
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
          ...more,
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      })
    const list = async (): Promise<AlertsData> =>
      ((await (await send('GET', '/v1/alerts')).json()) as { readonly data: AlertsData }).data
    return { server, send, list }
  }
  const rule = { kind: 'topShare', name: 'Whale', threshold: 10, minutes: 0, isOn: true }

  it('adds, changes, tests and removes rules, and shows the values that the figures have', async () => {
    const world = await begin({ place: await engine.newPlace() })
    const { send, list, server } = await serve(world)
    const receiver = await receive(world)
    await look(world)
    expect(new Set((await list()).rules.map(({ kind }) => kind)).size).toBe(9)
    const { id } = (await (await send('POST', '/v1/alerts', rule)).json()) as { readonly id: string }
    await world.alerts.evaluate()
    const health = (await (await send('GET', '/v1/health')).json()) as {
      readonly data: { readonly rows: readonly (readonly string[])[] }
      readonly status: { readonly activeAlerts: number }
    }
    const shown = health.data.rows.find(([name]) => name === 'Share of the largest holder')?.[1]
    const whale = (await list()).rules.find((one) => one.id === id)
    expect([whale?.state, `${whale?.value} %`, health.status.activeAlerts]).toStrictEqual([
      'active',
      shown,
      1,
    ])
    const metrics = await (await send('GET', '/metrics')).text()
    expect(metrics).toContain(`hailstone_console_alert_active{alert="${id}",kind="topShare"} 1\n`)
    expect(metrics).toContain(`hailstone_console_height ${world.chain.blocks.length - 1}\n`)

    await until(() => receiver.taken().length === 1)
    const tested = await send('POST', `/v1/alerts/${id}/test`)
    expect(await tested.json()).toStrictEqual({ receivers: 1 })
    await until(() => receiver.taken().length === 2)
    expect(receiver.taken()[1]?.body).toMatchObject({ type: 'alertTest', data: { isTest: true, alert: id } })
    expect((await list()).messages.map(({ event }) => event)).toStrictEqual(['test', 'started'])

    expect((await send('PUT', `/v1/alerts/${id}`, { ...rule, threshold: 101 })).status).toBe(204)
    await world.alerts.evaluate()
    await until(() => receiver.taken().length === 3)
    expect(receiver.taken()[2]?.body).toMatchObject({ type: 'alertEnded', data: { threshold: 101 } })
    expect((await send('PUT', `/v1/alerts/${id}`, { ...rule, kind: 'notMined' })).status).toBe(400)
    expect((await send('DELETE', `/v1/alerts/${id}`)).status).toBe(204)
    expect((await send('DELETE', `/v1/alerts/${id}`)).status).toBe(404)
    expect((await send('POST', `/v1/alerts/${id}/test`)).status).toBe(404)

    // Addresses of receivers and their secrets are given to nobody again.
    const [{ id: receiverId = '' } = {}] = (await list()).receivers
    const text = JSON.stringify(await list())
    expect([text.includes('only-the-receiver-knows'), text.includes('whsec_')]).toStrictEqual([false, false])
    expect((await send('DELETE', `/v1/receivers/${receiverId}`)).status).toBe(204)
    const document = (await (await fetch(`${server.url}/openapi.json`)).json()) as { readonly paths: object }
    expect(document.paths).toMatchObject({
      '/v1/alerts': { get: {}, post: {} },
      '/v1/alerts/{id}': { put: {}, delete: {} },
      '/v1/alerts/{id}/test': { post: {} },
      '/v1/receivers': { post: {} },
    })
  })

  it('ends the alert about an owner who has coins again, and says since when a value is not known', async () => {
    const COINS = 50n * 10n ** 10n
    const world = await begin({ place: await engine.newPlace() })
    const { send, list } = await serve(world)
    await world.alerts.queries
      .updateTable('alert')
      .set({ is_on: true })
      .where('kind', '=', 'ownerFees')
      .execute()
    const receiver = await receive(world)
    await world.follower.catchUp()
    const { queries } = world.index
    const { number: token } = world.follower.token
    const rule = async () => (await list()).rules.find(({ kind }) => kind === 'ownerFees')
    const hold = async (amount: bigint): Promise<void> => {
      await queries.deleteFrom('owner_balance').execute()
      const { day } = await queries
        .selectFrom('block')
        .select('day')
        .orderBy('height', 'desc')
        .executeTakeFirstOrThrow()
      const rows = [day - 1, day].map((one) => ({ token, day: one, height: 1, amount }))
      await queries.insertInto('owner_balance').values(rows).execute()
      await world.alerts.evaluate()
    }
    await hold(0n)
    expect(await rule()).toMatchObject({ state: 'active', value: 0, isEndless: false, unknownSince: null })
    // Less than a fee pays for no transfer, so nothing is spent.
    await hold(5n)
    expect(await rule()).toMatchObject({ state: 'active', value: 0, isEndless: false })
    await hold(COINS)
    expect(await rule()).toMatchObject({ state: 'quiet', value: null, isEndless: true, unknownSince: null })
    await until(() => receiver.taken().length === 2)
    expect(receiver.taken()[1]?.body).toMatchObject({
      ...{ type: 'alertEnded', data: { kind: 'ownerFees', value: null, isEndless: true } },
    })
    expect(await (await send('GET', '/metrics')).text()).toMatch(/alert_value\{.*kind="ownerFees"\} \+Inf\n/)
    const health = JSON.stringify(await (await send('GET', '/v1/health')).json())
    expect(health).toContain('"Days that the native coins of the owner last, at the rate of 7 days","no end"')
    // No transfer is neither a share of 0 % nor well.
    expect(health).toContain('"Rejected transfers in the newest 240 macroblocks","no transfers"')
    await world.alerts.queries
      .updateTable('alert')
      .set({ is_on: true })
      .where('kind', '=', 'rejectedShare')
      .execute()
    await world.alerts.evaluate()
    expect((await list()).rules.find(({ kind }) => kind === 'rejectedShare')).toMatchObject({
      ...{ state: 'quiet', value: null, lastKnown: null },
      unknownSince: expect.stringMatching(/Z$/),
    })

    await hold(0n)
    // The rate of one day is not known.
    await queries.deleteFrom('owner_balance').execute()
    await queries.insertInto('owner_balance').values({ token, day: 0, height: 1, amount: COINS }).execute()
    await world.alerts.evaluate()
    const unknown = await rule()
    expect(unknown).toMatchObject({ state: 'active', value: null, isEndless: false, lastKnown: { value: 0 } })
    expect(Date.parse(unknown?.lastKnown?.at ?? '')).toBeLessThanOrEqual(
      Date.parse(unknown?.unknownSince ?? ''),
    )
    expect(unknown?.unknownSince).toMatch(/^\d{4}-.*Z$/)
    await world.alerts.evaluate()
    expect((await rule())?.unknownSince).toBe(unknown?.unknownSince)
    await hold(COINS)
    expect(await rule()).toMatchObject({ state: 'quiet', unknownSince: null })
  })

  it('sends one test of a rule at a time, and ten in an hour', async () => {
    const world = await begin({ place: await engine.newPlace() })
    const { send } = await serve(world)
    const receiver = await receive(world)
    const { id } = await stateOf(world)
    const test = () => send('POST', `/v1/alerts/${id}/test`)
    const isSettled = async () =>
      (await world.alerts.queries.selectFrom('delivery').select('settled_ms').execute()).every(
        ({ settled_ms }) => settled_ms !== null,
      )
    await receiver.setMood('failing')
    expect((await test()).status).toBe(200)
    await until(() => (receiver.asked().failing ?? 0) > 0)
    expect((await test()).status).toBe(429)
    await receiver.setMood('well')
    await until(isSettled)
    for (let count = 1; count < 10; count++) {
      expect((await test()).status).toBe(200)
      await until(isSettled)
    }
    const refused = await test()
    expect(refused.status).toBe(429)
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
    expect(receiver.taken()).toHaveLength(10)
  })

  it('refuses what is no rule, comes from another page or from nobody, and more than there is room for', async () => {
    const world = await begin({ place: await engine.newPlace() })
    const { send, list, server } = await serve(world)
    const before = await list()
    for (const wrong of [
      { ...rule, kind: 'none' },
      { ...rule, name: '' },
      { ...rule, name: ' ' },
      { ...rule, name: 'zero\0byte' },
      { ...rule, name: 'two\nlines' },
      { ...rule, name: 'x'.repeat(101) },
      { ...rule, threshold: -1 },
      { ...rule, threshold: '1' },
      { ...rule, minutes: 0.5 },
      { ...rule, more: 1 },
    ])
      expect([wrong, (await send('POST', '/v1/alerts', wrong)).status]).toStrictEqual([wrong, 400])
    for (const forged of [
      { 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-site': 'same-site' },
      { origin: 'http://evil.example' },
      { origin: 'null' },
    ])
      expect((await send('POST', '/v1/alerts', rule, forged)).status).toBe(403)
    for (const type of ['application/x-www-form-urlencoded', 'text/plain', 'multipart/form-data; boundary=x'])
      expect(
        (await send('POST', '/v1/alerts', rule, { 'content-type': type })).status,
      ).toBeGreaterThanOrEqual(400)
    const unsigned = { method: 'POST', headers: { 'content-type': 'application/json' } }
    for (const path of ['/v1/alerts', '/v1/receivers'])
      expect((await fetch(`${server.url}${path}`, { ...unsigned, body: JSON.stringify(rule) })).status).toBe(
        401,
      )
    expect(await list()).toStrictEqual(before)
    for (let count = before.rules.length; count < 50; count++)
      expect((await send('POST', '/v1/alerts', rule)).status).toBe(200)
    expect((await send('POST', '/v1/alerts', rule)).status).toBe(400)
  })

  it('sends nothing into an inner network, whatever form its address or the answer about its name has', async () => {
    const forms = [
      'http://10.0.0.1/',
      'https://10.0.0.1/',
      'https://172.16.0.1/',
      'https://192.168.1.1/',
      'https://169.254.169.254/latest/meta-data',
      'https://100.64.0.1/',
      'https://0.0.0.0/',
      'https://167772161/',
      'https://0x0a000001/',
      'https://012.0.0.1/',
      'https://[fe80::1]/',
      'https://[fc00::1]/',
      'https://[::ffff:10.0.0.1]/',
      'https://[64:ff9b::a00:1]/',
      'https://[::]/',
      'https://router/',
      'https://router.lan/',
      'https://db.internal/',
      'https://printer.local./',
      'https://user:secret@hooks.example.com/',
      'http://hooks.example.com/',
      'ftp://hooks.example.com/',
      'file:///etc/passwd',
    ]
    let asked = 0
    const receiver = opened(await startReceiver())
    const { port } = new URL(receiver.url)
    // The name server of an attacker, whose second answer would be another one.
    const resolve: LookupFunction = (_, __, callback) => {
      asked++
      callback(null, [{ address: asked % 2 === 1 ? '127.0.0.1' : '93.184.216.34', family: 4 }])
    }
    const world = await begin({ gate: createWebhookGate({ allowsLoopback: true, resolve }) })
    const { send } = await serve(world)
    for (const url of forms)
      expect([url, (await send('POST', '/v1/receivers', { url })).status]).toStrictEqual([url, 400])
    const named = await send('POST', '/v1/receivers', { url: `https://hooks.example.com:${port}/` })
    expect(named.status).toBe(200)
    // One that stood in the tables before the rule was made.
    await world.alerts.queries
      .insertInto('receiver')
      .values({
        ...{ id: 'f00000000001', url: 'https://10.0.0.1/' },
        secret: `whsec_${Buffer.alloc(32).toString('base64')}`,
      })
      .execute()
    const [{ id = '' } = {}] = await world.alerts.queries.selectFrom('alert').select('id').execute()
    expect(await world.alerts.test(id)).toBe(2)
    const ending = new AbortController()
    const delivering = world.alerts.deliver(ending.signal)
    const outcomes = () =>
      world.alerts.queries.selectFrom('delivery').select(['receiver', 'outcome']).execute()
    await until(async () => (await outcomes()).every(({ outcome }) => outcome !== null))
    ending.abort()
    await delivering
    expect((await outcomes()).map(({ outcome }) => outcome).sort()).toStrictEqual([
      'the address is not allowed',
      'the connection failed (inner network)',
    ])
    // The address that was checked is the one that would have been connected to: there was no second question.
    expect([asked, receiver.asked()]).toStrictEqual([1, {}])

    const allowedHosts = ['10.0.0.1', 'fd00:0::1', 'NAS', '10.0.0.2:8443', 'hooks.example.com:80']
    const allowing = createWebhookGate({ allowedHosts, allowsLoopback: false, resolve })
    const allowed = [
      ...['http://10.0.0.1/', 'https://10.0.0.1:444/', 'http://[fd00::1]/', 'http://nas:8080/'],
      ...['https://10.0.0.2:8443/', 'http://hooks.example.com/'],
    ]
    expect(allowed.map(allowing.refuse)).toStrictEqual(allowed.map(() => null))
    const others = [
      'http://127.0.0.1/',
      'https://10.0.0.2/',
      'https://hooks.example.com/',
      'http://[fd00::2]/',
    ]
    expect(others.filter((url) => allowing.refuse(url) === null)).toStrictEqual([])
    // A name with a port leads into the inner network too.
    asked = 0
    const found = await new Promise((answer) =>
      allowing.lookup('hooks.example.com', {}, (error, address) => answer(error ?? address)),
    )
    expect(found).toBe('127.0.0.1')
    for (const wrong of ['', 'a b', 'https://nas', 'nas/', 'nas:99999', 'user@nas', 'fd00::1::2'])
      expect(() => createWebhookGate({ allowedHosts: [wrong], allowsLoopback: false })).toThrow(
        '--allow-webhook is a host',
      )
  })
})

describe('the page of alerts', () => {
  it('lists, edits, tests and adds, in both modes and on a phone, and runs no text of a name', async () => {
    const world = await begin()
    await world.alerts.queries.deleteFrom('alert').where('kind', '<>', 'notMined').execute()
    for (const text of payloads.slice(0, 40))
      await world.alerts.addRule({
        ...{ kind: 'topShare', threshold: 10, minutes: 0, isOn: true },
        name: text.replaceAll('\0', '').slice(0, 100),
      })
    await look(world)
    const receiver = await receive(world)
    const server = opened(await serveConsole({ follower: world.follower, alerts: world.alerts }))
    const browser = await openBrowser()
    try {
      const context = await browser.newContext({
        reducedMotion: 'reduce',
        viewport: { width: 360, height: 740 },
      })
      const page = await context.newPage()
      const problems: string[] = []
      page.on('console', (message) => message.type() === 'error' && problems.push(message.text()))
      page.on('pageerror', (error) => problems.push(error.message))
      page.on('dialog', (dialog) => problems.push(dialog.message()))
      await page.goto(server.signInUrl())
      await page.goto(`${server.url}/#alerts`)
      const card = page.locator('.cards > li').filter({ hasText: 'Token not mined' })
      await card.getByText('Well').waitFor()
      expect(await page.locator('.cards > li').count()).toBe(41)
      expect(await page.evaluate('globalThis.hit')).toBeUndefined()

      // The page shows a start and an end without being loaded.
      await close(world.chain, { isMined: false, next: HOUR })
      await look(world)
      await card.getByText('Active', { exact: true }).waitFor()
      await card.getByText('60 minutes', { exact: true }).waitFor()
      await page.getByRole('button', { name: 'Edit Token not mined' }).click()
      await page.getByLabel('Alert from (minutes)').fill('90')
      const { HAILSTONE_PICTURES: pictures } = process.env
      if (pictures !== undefined) await page.screenshot({ path: `${pictures}/alerts-edit.png` })
      await page.getByRole('button', { name: 'Save' }).click()
      await card.getByText('90 minutes or more').waitFor()
      await world.alerts.evaluate()
      await card.getByText('Well').waitFor()

      const sent = receiver.taken().length
      await page.getByRole('button', { name: 'Test Token not mined' }).click()
      await page.getByText('A test of “Token not mined” goes to 1').waitFor()
      await until(() =>
        receiver
          .taken()
          .slice(sent)
          .some(({ body }) => body.type === 'alertTest'),
      )

      await page.getByLabel('New alert').selectOption('ownerFees')
      await page.getByLabel('Name').fill('Fees')
      await page.getByRole('button', { name: 'Save' }).click()
      await page.getByRole('heading', { name: 'Fees', exact: true }).waitFor()
      await page.getByLabel('Address of a webhook, or of a mailbox').fill('https://10.0.0.1/')
      await page.getByRole('button', { name: 'Add' }).click()
      await page.getByText('leads into an inner network').waitFor()
      problems.splice(0, problems.length, ...problems.filter((text) => !text.includes('400')))

      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme })
        expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBe(0)
        expect([await axeFindings(page), problems]).toStrictEqual([[], []])
        if (pictures !== undefined)
          await page.screenshot({ path: `${pictures}/alerts-${colorScheme}.png`, fullPage: true })
      }
      await page.getByRole('button', { name: 'Remove Fees' }).click()
      await page.getByText('“Fees” is removed.').waitFor()
    } finally {
      await browser.close()
    }
  })
})
