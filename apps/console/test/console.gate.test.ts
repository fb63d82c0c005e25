import { readFileSync } from 'node:fs'
import { extname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { type Address, createClient, createWallet } from '@hailstone/client'
import { checkIndex, openIndex } from '@hailstone/indexer'
import {
  type LocalNetwork,
  type Population,
  playPopulation,
  startLocalNetwork,
} from '@hailstone/local-network'
import { createMiningNode } from '@hailstone/mining-node'
import { parseAmount } from '@hailstone/protocol'
import { openBrowser } from '@hailstone/test-browser'
import { parquetMetadata, parquetReadObjects } from 'hyparquet'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { until } from '../../../packages/mining-node/test/until.ts'
import { payloads } from '../../white-label/test/hostile-texts.ts'
import { readBrandLook } from '../src/brand-look.ts'
import { openLabelTables } from '../src/labels/label-tables.ts'
import { createLabels, labelPopulation } from '../src/labels/labels.ts'
import { type Follower, openFollower } from '../src/open-follower.ts'
import { routes } from '../src/routes.ts'
import { type ConsoleServer, serveConsole } from '../src/serve-console.ts'
import { axeFindings } from './axe-findings.ts'

const options = { seed: 'people', days: 20, macroblocksPerDay: 4, people: 60 }

type Setup = {
  readonly network: LocalNetwork
  readonly population: Population
  readonly follower: Follower
  readonly server: ConsoleServer
  readonly cookie: string
}
let setup: Setup
const undo: (() => Promise<unknown>)[] = []

beforeAll(async () => {
  const { dump, population } = await playPopulation(options)
  const network = await startLocalNetwork({ load: dump, blockTimeMs: 3_600_000 })
  undo.push(network.stop)
  // Blocks go on where the days of the population end.
  network.control.setClock((population.startTime + options.days * 86_400) * 1000)
  const index = await openIndex()
  undo.push(index.close)
  await labelPopulation(createLabels(await openLabelTables(index)), population)
  const client = createClient({ apiUrl: network.apiUrl })
  undo.push(client.close)
  const follower = await openFollower({ index, client, tokenId: population.token.id })
  await follower.catchUp()
  const server = await serveConsole({ follower })
  undo.push(server.stop)
  const signedIn = await fetch(server.signInUrl(), { redirect: 'manual' })
  const cookie = signedIn.headers.get('set-cookie')?.split(';')[0] ?? ''
  setup = { network, population, follower, server, cookie }
})

afterAll(async () => {
  for (const end of undo.reverse()) await end()
})

const get = (path: string, headers: Readonly<Record<string, string>> = {}): Promise<Response> =>
  fetch(`${setup.server.url}${path}`, { headers: { cookie: setup.cookie, ...headers } })

type Table = {
  readonly columns: readonly { readonly key: string }[]
  readonly rows: readonly (readonly (string | number | null)[])[]
  readonly next?: string | null
}

async function figure(path: string): Promise<readonly Readonly<Record<string, unknown>>[]> {
  const { data } = (await (await get(path)).json()) as { readonly data: Table }
  return data.rows.map((row) => Object.fromEntries(data.columns.map(({ key }, at) => [key, row[at]])))
}

const sum = (values: readonly unknown[]): bigint =>
  values.reduce<bigint>((all, one) => all + BigInt(String(one)), 0n)

/** Every balance of the tables, beside the network's own. */
async function expectSameBalances(): Promise<void> {
  const { follower, network, population } = setup
  const rows = await follower.index.queries
    .selectFrom('holding')
    .innerJoin('account', 'account.id', 'holding.account')
    .select(['address', 'amount'])
    .execute()
  expect(rows.length).toBeGreaterThan(50)
  for (const { address, amount } of rows)
    expect([address, amount]).toStrictEqual([address, network.balance(address as never, population.token.id)])
}

describe('the figures of a population', () => {
  it('have every balance, the supply and the rewards that the network has', async () => {
    const { network, population } = setup
    await expectSameBalances()
    const info = (await (await fetch(`${network.apiUrl}/token_info?hash=${population.token.id}`)).json()) as [
      { total_supply: number },
    ]
    const rewards = await figure('/v1/rewards')
    const paid = sum(
      rewards.flatMap(({ mined, miner_half, agent_half, owner_part }) => [
        mined,
        miner_half,
        agent_half,
        owner_part,
      ]),
    )
    expect(population.token.totalSupply + paid).toBe(BigInt(info[0].total_supply))
    const sums = await figure('/v1/reward-sums')
    expect(sums.map(({ kind }) => kind)).toStrictEqual([
      ...['Mining', 'Half of miners', 'Half of agents', 'Part of the owner', 'In all'],
    ])
    for (const [span, days] of Object.entries({ day: 1, week: 7, month: 30, quarter: 90 })) {
      const kinds = ['mined', 'miner_half', 'agent_half', 'owner_part'].map((kind) =>
        sum(rewards.slice(-days).map((row) => row[kind])),
      )
      const all = kinds.reduce((one, other) => one + other, 0n)
      expect(sums.map((row) => sum([row[span]]))).toStrictEqual([...kinds, all])
    }
    const health = await figure('/v1/health')
    expect(health.find(({ name }) => String(name).startsWith('Amounts with another'))?.value).toBe('0')
  })

  it('are those of /balance and /account_rewards for every account', async () => {
    const { network, follower, population } = setup
    await using client = createClient({ apiUrl: network.apiUrl })
    const report = await checkIndex({ index: follower.index, client, catchUp: follower.catchUp })
    expect(report).toMatchObject({ differences: [], isStill: true, height: 79 })
    expect(report.accounts).toBeGreaterThan(60)
    const miners = await figure('/v1/miners?limit=200')
    expect(miners.length).toBeGreaterThan(20)
    for (const { account, balance, microblocks } of miners) {
      const address = account as Address
      const { amount } = await client.getBalance({ address, tokenId: population.token.id })
      let mined = 0
      for await (const { recordType, symbol } of client.rewardsOf({ address }))
        if (recordType === 'im' && symbol === population.token.symbol) mined++
      expect([account, balance, microblocks]).toStrictEqual([account, String(amount), mined])
    }
  })

  it('answer, each with rows and the height', async () => {
    for (const { path, isFigure } of routes.filter(
      (route) => route.isFigure && !route.path.includes('rewards'),
    )) {
      const answer = (await (await get(path)).json()) as {
        readonly data: Table
        readonly status: object
        readonly error?: string
      }
      expect([path, isFigure, answer.error]).toStrictEqual([path, true, undefined])
      expect([path, answer.data.rows.length > 0]).toStrictEqual([path, true])
      expect(answer.status).toMatchObject({ height: 79, state: 'following' })
    }
  })

  it('count days, microblocks and miners as the chain does', async () => {
    const days = await figure('/v1/overview')
    expect(days.length).toBe(20)
    expect(days.reduce((all, { microblocks }) => all + Number(microblocks), 0)).toBe(168)
    expect(days.reduce((all, { rejected }) => all + Number(rejected), 0)).toBe(21)
    const { outage } = setup.population
    expect(days[outage.from]).toMatchObject({ active: 0, microblocks: 0 })
    const miners = await figure('/v1/miners?limit=200')
    expect(days.reduce((all, { fresh }) => all + Number(fresh), 0)).toBe(miners.length)
    expect(miners.reduce((all, { microblocks }) => all + Number(microblocks), 0)).toBe(168)
    const paged: unknown[] = []
    for (let path: string | null = '/v1/miners?limit=7'; path !== null; ) {
      const { data } = (await (await get(path)).json()) as { readonly data: Table }
      paged.push(...data.rows.map(([account]) => account))
      path = data.next == null ? null : `/v1/miners?limit=7&after=${encodeURIComponent(data.next)}`
    }
    expect(paged).toStrictEqual(miners.map(({ account }) => account))
  })

  it('explain each of the fates', async () => {
    const { fates } = setup.population
    const codes: Record<string, readonly string[]> = {}
    for (const [name, address] of Object.entries(fates)) {
      const answer = (await (await get(`/v1/explain?address=${address}&days=20`)).json()) as {
        readonly data: { readonly verdicts: readonly { readonly code: string }[] }
      }
      codes[name] = answer.data.verdicts.map(({ code }) => code)
    }
    expect(codes).toMatchInlineSnapshot(`
        {
          "agentBelow": [
            "PAID",
            "PAID_LESS",
            "AGENT_BELOW",
          ],
          "agentChanged": [
            "PAID",
            "PAID_LESS",
          ],
          "agentWithoutRow": [
            "PAID",
            "PAID_LESS",
            "AGENT_NO_ROW",
          ],
          "belowStake": [
            "BELOW_STAKE",
          ],
          "justCame": [
            "UNLUCKY",
          ],
          "noRow": [
            "NO_ROW",
          ],
          "silent": [
            "UNLUCKY",
          ],
          "withdrew": [
            "BELOW_STAKE",
            "PAID",
            "PAID_LESS",
          ],
        }
      `)
  })

  it('are the same as CSV, with a sum', async () => {
    const days = await figure('/v1/rewards')
    const text = await (await get('/v1/rewards.csv')).text()
    const lines = text.trimEnd().split('\r\n')
    expect(lines.length).toBe(days.length + 2)
    const [, own = ''] = lines.at(-1)?.split(',') ?? []
    const [whole = '', fraction = ''] = own.split('.')
    expect(BigInt(whole + fraction.padEnd(10, '0'))).toBe(sum(days.map((day) => day.mined)))
  })

  it('are the same as Parquet', async () => {
    const days = await figure('/v1/rewards')
    const answer = await get('/v1/rewards.parquet')
    expect(answer.headers.get('content-disposition')).toMatch(/^attachment; filename="\w+-rewards\.parquet"$/)
    const rows = await parquetReadObjects({ file: await answer.arrayBuffer() })
    expect(rows.map(({ day }) => day.toISOString().slice(0, 10))).toStrictEqual(days.map(({ day }) => day))
    for (const { path, role, isFigure } of routes) {
      if (!isFigure || role === 'support') continue
      const bytes = await (await get(`${path}.parquet`)).arrayBuffer()
      const { num_rows: count } = parquetMetadata(bytes)
      expect([path, Number(count)]).toStrictEqual([path, (await figure(path)).length])
    }
  })

  it.each(['miners', 'agents', 'below', 'payouts'])(
    'have every row of the list %s, in pages and in a file',
    async (name) => {
      const rows: unknown[] = []
      let after: string | null | undefined
      do {
        const query = `limit=${name === 'below' ? 1 : 2}${after == null ? '' : `&after=${encodeURIComponent(after)}`}`
        const { data } = (await (await get(`/v1/${name}?${query}`)).json()) as {
          readonly data: { readonly rows: readonly unknown[]; readonly next: string | null }
        }
        rows.push(...data.rows)
        after = data.next
      } while (after !== null)
      const whole = (await (await get(`/v1/${name}?limit=200`)).json()) as {
        readonly data: { readonly rows: readonly unknown[] }
      }
      expect(rows.slice(0, 200)).toStrictEqual(whole.data.rows)
      expect(rows.length).toBeGreaterThan(1)
      const lines = (await (await get(`/v1/${name}.csv`)).text()).trimEnd().split('\r\n')
      expect(lines.length).toBe(rows.length + 1)
      const marked = await (await get(`/v1/${name}.spreadsheet.csv`)).arrayBuffer()
      expect([...new Uint8Array(marked.slice(0, 3))]).toStrictEqual([0xef, 0xbb, 0xbf])
    },
  )

  it('go back with the chain and are right again', async () => {
    const { network, follower } = setup
    await network.control.mine(3)
    await follower.catchUp()
    expect(follower.status().height).toBe(82)
    await network.control.reorganise(5)
    expect(await follower.catchUp()).toBe(0)
    expect(follower.status()).toMatchObject({ state: 'behind', height: 82 })
    await network.control.mine(6)
    await follower.catchUp()
    expect(follower.status()).toMatchObject({ state: 'following', height: 83, reorganisations: 1 })
    await expectSameBalances()
    const rows = await follower.index.queries
      .selectFrom('block')
      .select('height')
      .where('height', '>=', 70)
      .execute()
    expect(rows.length).toBe(14)
  })
})

describe('what the network says now', () => {
  type Verdicts = {
    readonly data: { readonly verdicts: readonly { readonly code: string; readonly sentence: string }[] }
  }
  const verdictsOf = async (path: string) =>
    new Map(
      ((await (await get(path)).json()) as Verdicts).data.verdicts.map((one) => [one.code, one.sentence]),
    )
  const answersOf = (address: Address) => verdictsOf(`/v1/answers?address=${address}`)

  it('tells a miner that is connected from one that is not, and from not knowing', async () => {
    const { network, population } = setup
    const { silent = population.token.owner } = population.fates
    expect([...(await answersOf(silent)).keys()].slice(0, 1)).toStrictEqual(['LISTED_UNKNOWN'])
    const wallet = createWallet()
    await using node = createMiningNode({
      ...{ wallet, apiUrl: network.apiUrl, gatewayUrl: network.gatewayUrl, mineBelowStake: true },
      tokenId: population.token.id,
    })
    await node.start()
    await until(() => network.gateway.minersOnline().length > 0, 'it is connected')
    await until(async () => (await answersOf(wallet.address)).has('LISTED'), 'it is listed')
    const own = await answersOf(wallet.address)
    expect(own.get('LISTED')).toBe('The network sees this miner online, and no other one.')
    expect(own.get('STAKE_BELOW')).toMatch(/ are missing, and until then nothing is earned\.$/)
    expect(own.get('WORK_UNKNOWN')).toContain('only the miner itself counts it')
    // One answer may be of a moment in which the session was cut.
    await until(async () => (await answersOf(silent)).has('NOT_LISTED'), 'the other one is not listed')
    const other = await answersOf(silent)
    expect(other.get('STAKE_COUNTS')).toContain('all of it counts')
    expect(other.get('IN_BLOCKS')).toMatch(/^In the newest 7 days \d+ of the \d+ microblocks/)
  })

  it('says which condition of the referral reward fails, on whose side', async () => {
    const { agentBelow, agentWithoutRow } = setup.population.fates
    const below = await answersOf(agentBelow as Address)
    expect(below.get('AGENT')).toMatch(/^The referrer is 0[23].* with the code ref_/)
    expect(below.get('OWN_STAKE')).toMatch(/^Met by the miner/)
    expect(below.get('AGENT_STAKE')).toMatch(
      /^Not met by the referrer: it holds .* the referrer gets nothing\.$/,
    )
    expect((await answersOf(agentWithoutRow as Address)).get('AGENT_BALANCE')).toContain('neither side gets')
  })

  it('says whether the token has a place of its own, before its owner has the coins and after', async () => {
    const { network, population } = setup
    expect((await verdictsOf('/v1/slot')).get('SLOT_NO')).toContain('has no place of its own')
    await network.control.fund(population.token.owner, 600_000n * 10n ** 10n)
    await until(async () => (await verdictsOf('/v1/slot')).has('SLOT_YES'), 'the place is seen')
    expect((await verdictsOf('/v1/slot')).get('SLOT_YES')).toMatch(
      /has a place of its own.*The owner of .* has 6\d{5}/,
    )
  })
})

describe('access', () => {
  it('gives nothing to whoever has not signed in, comes from another page or under another name', async () => {
    const { server } = setup
    for (const { path } of routes) {
      expect((await fetch(`${server.url}${path}`)).status).toBe(401)
      expect((await get(path, { 'sec-fetch-site': 'cross-site' })).status).toBe(403)
    }
    const guess = `hailstone-console-${new URL(server.url).port}=${'g'.repeat(43)}`
    expect((await fetch(`${server.url}/v1/overview`, { headers: { cookie: guess } })).status).toBe(401)
    const link = server.signInUrl()
    expect((await fetch(link, { redirect: 'manual' })).status).toBe(303)
    expect((await fetch(link, { redirect: 'manual' })).status).toBe(403)
  })

  it('does nothing that a form of another page asks for', async () => {
    const sites: readonly Readonly<Record<string, string>>[] = [
      { 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-site': 'same-site' },
      { origin: 'http://evil.example' },
      { origin: 'null' },
    ]
    const types = ['application/x-www-form-urlencoded', 'multipart/form-data; boundary=x', 'text/plain']
    for (const site of sites)
      for (const type of types) {
        const headers = { cookie: setup.cookie, 'content-type': type, ...site }
        const forged = await fetch(`${setup.server.url}/v1/sign-out`, {
          method: 'POST',
          headers,
          body: 'a=b',
        })
        expect([site, type, forged.status >= 400]).toStrictEqual([site, type, true])
        expect((await get('/v1/health')).status).toBe(200)
      }
  })

  it('refuses wrong parameters, with what is wrong', async () => {
    for (const path of [
      '/v1/explain',
      '/v1/explain?address=02',
      '/v1/miners?sort=account',
      "/v1/miners?after=1'%20or%201=1",
      '/v1/overview?more=1',
    ])
      expect([path, (await get(path)).status]).toStrictEqual([path, 400])
    expect(await (await get('/v1/overview?more=1')).json()).toStrictEqual({
      error: 'Unrecognized key: "more"',
    })
    const { error } = (await (await get('/v1/miners?sort=account')).json()) as { readonly error: string }
    expect(error).toMatch(/^sort: /)
  })
})

describe('the page', () => {
  it('C-10: loads at most 90 kB at first, packed', () => {
    const folder = fileURLToPath(new URL('../dist/page/', import.meta.url))
    const html = readFileSync(join(folder, 'index.html'), 'utf8')
    const loaded = [...html.matchAll(/(?:src|href)="\.?\/?(assets\/[^"]+)"/g)].map(([, file = '']) => file)
    expect(loaded.map((file) => extname(file)).sort()).toStrictEqual(['.css', '.js'])
    const sizes = ['index.html', ...loaded].map((file) => gzipSync(readFileSync(join(folder, file))).length)
    expect(sizes.reduce((all, size) => all + size, 0)).toBeLessThan(90_000)
  })

  it('C-10: shows every figure in both modes and on a phone, without a finding of axe or a refusal of its policy', async () => {
    const browser = await openBrowser()
    try {
      for (const colorScheme of ['light', 'dark'] as const) {
        const context = await browser.newContext({ colorScheme, viewport: { width: 360, height: 740 } })
        const page = await context.newPage()
        const problems: string[] = []
        page.on('console', (message) => message.type() === 'error' && problems.push(message.text()))
        page.on('pageerror', (error) => problems.push(error.message))
        await page.goto(setup.server.signInUrl())
        for (const name of [
          'overview',
          'hours',
          'miners',
          `account/${setup.population.fates.belowStake}`,
          'retention',
          'rewards',
          'emission',
          'stakes',
          'below',
          'agents',
          'payouts',
          'health',
          'labels',
        ]) {
          await page.goto(`${setup.server.url}/#${name}`)
          await page.locator('main td').first().or(page.locator('.verdicts li').first()).first().waitFor()
          const overflow = await page.evaluate('document.documentElement.scrollWidth - innerWidth')
          expect([name, overflow]).toStrictEqual([name, 0])
          const findings = await axeFindings(page)
          expect([name, findings]).toStrictEqual([name, []])
          const { HAILSTONE_PICTURES: pictures } = process.env
          if (pictures !== undefined)
            await page.screenshot({
              path: `${pictures}/${name.slice(0, 9).replace('/', '')}-${colorScheme}.png`,
              fullPage: true,
            })
        }
        expect(problems).toStrictEqual([])
        await context.close()
      }
    } finally {
      await browser.close()
    }
  })

  it('shows the place to which its address changed between the first look at it and the first frame', async () => {
    const browser = await openBrowser()
    try {
      const page = await browser.newPage()
      // The last moment before the page listens: of what comes then no event tells it.
      await page.addInitScript(`
        const listen = addEventListener
        globalThis.addEventListener = (type, ...rest) => {
          if (type === 'hashchange') history.replaceState(null, '', '#stakes')
          return listen(type, ...rest)
        }`)
      await page.goto(setup.server.signInUrl())
      await page.getByRole('heading', { name: 'Stakes' }).waitFor()
    } finally {
      await browser.close()
    }
  })

  it('has name, colours and icon of a brand, in both modes, without a finding of axe', async () => {
    const brand = await readBrandLook(
      fileURLToPath(new URL('../../white-label/brands/jamr', import.meta.url)),
    )
    const named = { ...brand, name: 'Sea & <b>"Pearls"' }
    await using server = await serveConsole({ follower: setup.follower, brand: named })
    const browser = await openBrowser()
    try {
      for (const [mode, colorScheme] of (['light', 'dark'] as const).entries()) {
        const context = await browser.newContext({ colorScheme, viewport: { width: 360, height: 740 } })
        const page = await context.newPage()
        const problems: string[] = []
        page.on('console', (message) => message.type() === 'error' && problems.push(message.text()))
        await page.goto(server.signInUrl())
        for (const name of ['rewards', 'miners', `account/${setup.population.fates.belowStake}`]) {
          await page.goto(`${server.url}/#${name}`)
          await page.locator('main td').first().or(page.locator('.verdicts li').first()).first().waitFor()
          expect(await page.locator('h1').innerText()).toBe('Sea & <b>"Pearls" console')
          const [ground = ''] = /(?<=--ground:)#[\da-f]{6}/.exec(brand.css.split('@media')[mode] ?? '') ?? []
          const shown = await page.evaluate(
            'getComputedStyle(document.body).backgroundColor.match(/\\d+/g).map((part) => Number(part).toString(16).padStart(2, "0")).join("")',
          )
          expect(`#${shown}`).toBe(ground)
          const picture = 'document.querySelector("h1 img")'
          expect(
            await page.evaluate(`${picture}.decode().then(() => ${picture}.naturalWidth)`),
          ).toBeGreaterThan(0)
          const findings = await axeFindings(page)
          expect([name, findings]).toStrictEqual([name, []])
          const { HAILSTONE_PICTURES: pictures } = process.env
          if (pictures !== undefined)
            await page.screenshot({ path: `${pictures}/brand-${name.slice(0, 7)}-${colorScheme}.png` })
        }
        expect(problems).toStrictEqual([])
        await context.close()
      }
    } finally {
      await browser.close()
    }
  })

  it('runs none of 200 texts that stand in labels', async () => {
    const { queries } = setup.follower.index
    const addresses = (await figure('/v1/miners?limit=50')).map(({ account }) => String(account))
    // The database stores no zero byte.
    const texts = payloads.map((text) => text.replaceAll('\0', ''))
    expect([addresses.length > 20, texts.length]).toStrictEqual([true, 200])
    const browser = await openBrowser()
    try {
      const page = await (await browser.newContext()).newPage()
      const problems: string[] = []
      page.on('console', (message) => message.type() === 'error' && problems.push(message.text()))
      page.on('dialog', (dialog) => problems.push(dialog.message()))
      await page.goto(setup.server.signInUrl())
      for (let at = 0; at < texts.length; at += addresses.length) {
        const shown = texts.slice(at, at + addresses.length)
        for (const [place, text] of shown.entries())
          await sql`insert into hailstone_console.label values (${addresses[place]}, ${text}, 'other')
            on conflict (address) do update set text = excluded.text`.execute(queries)
        await page.goto('about:blank')
        await page.goto(`${setup.server.url}/#miners`)
        await page.locator('main td').first().waitFor()
        const cells = await page.locator('main td:nth-child(2)').allTextContents()
        // A mark of byte order shows nothing, and does not reach this comparison.
        const visible = (text: string): string => text.replaceAll('\ufeff', '')
        expect(cells.slice(0, shown.length).map(visible)).toStrictEqual(shown.map(visible))
        expect(await page.evaluate('globalThis.hit')).toBeUndefined()
        expect(new URL(page.url()).origin).toBe(setup.server.url)
      }
      expect(problems).toStrictEqual([])
    } finally {
      await browser.close()
    }
  })

  it('shows no balance below the stake as higher than it is, and as missing what is enough', async () => {
    // A balance that every other way to round shows as too much.
    const { queries } = setup.follower.index
    await sql`update holding set amount = amount - 19 from miner n where n.is_below and holding.amount >= 19
      and n.token = holding.token and n.account = holding.account`.execute(queries)
    const answer = (await (await get('/v1/below')).json()) as {
      readonly token: { readonly symbol: string; readonly decimals: number }
      readonly data: Table
    }
    const [, , held, lacking] = answer.data.rows[0] ?? []
    const minimum = BigInt(held ?? 0) + BigInt(lacking ?? 0)
    const browser = await openBrowser()
    try {
      const page = await browser.newPage()
      await page.goto(setup.server.signInUrl())
      await page.goto(`${setup.server.url}/#below`)
      await page.getByRole('heading', { name: 'Below the stake' }).waitFor()
      const amounts = page.locator('main tbody .number .amount')
      await amounts.first().waitFor()
      const shown = await amounts.allTextContents()
      const titles = await amounts.evaluateAll((all) => all.map((one) => one.getAttribute('title') ?? ''))
      const exact = titles.map((text) =>
        parseAmount(text.replaceAll(',', '').replace(` ${answer.token.symbol}`, ''), answer.token),
      )
      expect(exact).toStrictEqual(
        answer.data.rows.flatMap(([, , balance, missing]) => [BigInt(balance ?? 0), BigInt(missing ?? 0)]),
      )
      expect(exact.some((units) => units % 100n !== 0n)).toBe(true)
      // Cut, never rounded.
      for (const [at, text] of shown.entries())
        expect(titles[at]?.startsWith(text.replace('…', ''))).toBe(true)
      for (let at = 0; at < exact.length; at += 2)
        expect((exact[at] ?? 0n) + (exact[at + 1] ?? 0n)).toBeGreaterThanOrEqual(minimum)
    } finally {
      await browser.close()
    }
  })
})
