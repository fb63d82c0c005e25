import { openBrowser } from '@hailstone/test-browser'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { payloads } from '../../white-label/test/hostile-texts.ts'
import type { Role } from '../src/people/roles.ts'
import { totpCode, totpStepOf } from '../src/people/totp.ts'
import type { ConsoleServer } from '../src/serve-console.ts'
import { axeFindings } from './axe-findings.ts'
import { type ConsoleFixture, openConsole, PASSWORD } from './console-fixture.ts'

type Browser = Awaited<ReturnType<typeof openBrowser>>
type Page = Awaited<ReturnType<Browser['newPage']>>

let fixture: ConsoleFixture
let server: ConsoleServer
let browser: Browser

beforeAll(async () => {
  fixture = await openConsole()
  server = await fixture.serve()
  await fixture.people.add({ name: 'ada', role: 'owner', password: PASSWORD }, null)
  browser = await openBrowser()
})
afterAll(async () => {
  await browser?.close()
  await fixture?.[Symbol.asyncDispose]()
})

/** A page that keeps everything that its policy refuses and that is wrong in it. */
async function openPage(colorScheme: 'light' | 'dark' = 'light') {
  const context = await browser.newContext({ colorScheme, viewport: { width: 360, height: 740 } })
  const page = await context.newPage()
  const problems: string[] = []
  page.on('pageerror', (error) => problems.push(error.message))
  page.on('dialog', (dialog) => problems.push(dialog.message()))
  page.on('console', (message) => {
    // A question that is refused is written there by the browser itself.
    if (message.type() === 'error' && !message.text().startsWith('Failed to load resource'))
      problems.push(message.text())
  })
  return { page, problems, close: () => context.close() }
}

async function expectUsable(page: Page, name: string): Promise<void> {
  const overflow = await page.evaluate('document.documentElement.scrollWidth - innerWidth')
  expect([name, overflow]).toStrictEqual([name, 0])
  const findings = await axeFindings(page)
  expect([name, findings]).toStrictEqual([name, []])
  const { HAILSTONE_PICTURES: pictures } = process.env
  if (pictures === undefined) return
  await page.screenshot({ path: `${pictures}/${name}.png`, fullPage: true })
  await page.setViewportSize({ width: 1100, height: 800 })
  await page.screenshot({ path: `${pictures}/${name}-wide.png`, fullPage: true })
  await page.setViewportSize({ width: 360, height: 740 })
}

async function signIn(page: Page, name: string, password = PASSWORD): Promise<void> {
  // Until the form to sign in is there, the page that is left has fields of the same names.
  const form = page.locator('form', { has: page.getByRole('button', { name: 'Sign in' }) })
  await form.getByLabel('Name').fill(name)
  await form.getByLabel('Password').fill(password)
  await form.getByRole('button', { name: 'Sign in' }).click()
}

let names = 0
/** Adds a person with a name that nobody has, also where a test runs a second time, and returns it. */
async function add(name: string, role: Role): Promise<string> {
  const person = { name: `${name} ${++names}`, role, password: PASSWORD }
  return (await fixture.people.add(person, null)).name
}

it('the first person is added where the link led, and signs in by name', async () => {
  await using fixture = await openConsole()
  const server = await fixture.serve()
  const { page, problems, close } = await openPage()
  await page.goto(server.signInUrl())
  await page.getByRole('link', { name: 'People and tokens' }).click()
  await page.getByText('This console has no people yet').waitFor()
  await expectUsable(page, 'people-none')
  await page.getByLabel('Name').fill('ada')
  await page.getByLabel('Password, 12 characters at least').fill(PASSWORD)
  await page.getByRole('button', { name: 'Add a person' }).click()
  await page.getByRole('button', { name: 'Sign in' }).waitFor()
  await signIn(page, 'ada', 'wrong horse battery')
  await page.getByText('The name or the password is wrong.').waitFor()
  await expectUsable(page, 'sign-in-wrong')
  await signIn(page, 'ada')
  await page.getByText('You are ada, owner.').waitFor()
  expect(problems).toStrictEqual([])
  await close()
})

it('a second factor is set up from the page, and its code is asked for', async () => {
  const name = await add('Tove', 'owner')
  const { page, problems, close } = await openPage()
  await page.goto(`${server.url}/#people`)
  await signIn(page, name)
  const form = page.locator('form', { has: page.getByRole('button', { name: 'Set it up' }) })
  await form.getByLabel('Password').fill(PASSWORD)
  await form.getByRole('button').click()
  await page.getByRole('img', { name: `Secret of the second factor of ${name}` }).waitFor()
  await expectUsable(page, 'second-factor')
  const { totp_pending: secret } = await fixture.people.queries
    .selectFrom('person')
    .select('totp_pending')
    .where('name', '=', name)
    .executeTakeFirstOrThrow()
  const code = (): string => totpCode(secret as Uint8Array, totpStepOf(fixture.clock.now))
  await page.getByLabel('Code').fill(code())
  await page.getByRole('button', { name: 'Confirm' }).click()
  await page.getByText('A code of your authenticator app is asked for').waitFor()
  await page.getByRole('button', { name: 'Sign out' }).click()
  await signIn(page, name)
  await page.getByLabel('Code of the authenticator app').waitFor()
  await expectUsable(page, 'sign-in-code')
  fixture.clock.now += 30_000
  await page.getByLabel('Code of the authenticator app').fill(code())
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByText(`You are ${name}, owner.`).waitFor()
  const id = (await fixture.people.findByName(name))?.id ?? 0
  // The page notices by itself that its session has ended: at its next question, whichever that is.
  await fixture.people.change(id, { removeTotp: true }, null)
  await page.evaluate("location.hash = 'emission'")
  await page.getByRole('button', { name: 'Sign in' }).waitFor()
  expect(problems).toStrictEqual([])
  await close()
})

it('C-10: an owner adds people and tokens, in both modes and on a phone, without a finding of axe', async () => {
  for (const scheme of ['light', 'dark'] as const) {
    const [bea, label] = [`Bea ${++names}`, `Grafana ${names}`]
    const { page, problems, close } = await openPage(scheme)
    await page.goto(`${server.url}/#people`)
    await page.getByRole('button', { name: 'Sign in' }).waitFor()
    await expectUsable(page, `sign-in-${scheme}`)
    await signIn(page, 'ada')
    const adding = page.locator('form', { has: page.getByRole('button', { name: 'Add a person' }) })
    await adding.getByLabel('Name').fill(bea)
    await adding.getByLabel('Role').selectOption('analyst')
    await adding.getByLabel('Password').fill(PASSWORD)
    await adding.getByRole('button').click()
    await page.getByLabel(`Role of ${bea}`).waitFor()
    await adding.getByLabel('Name').fill(bea)
    await adding.getByLabel('Password').fill(PASSWORD)
    await adding.getByRole('button').click()
    await page.getByText('This name is taken.').waitFor()
    const making = page.locator('form', { has: page.getByRole('button', { name: 'Make a token' }) })
    await making.getByLabel('Label').fill(label)
    await making.getByRole('button').click()
    await page.getByText('The new token, shown this once').waitFor()
    const secret = (await page.locator('.secret code').textContent()) ?? ''
    expect(secret).toMatch(/^hsc_[\w-]{43}$/)
    await page.getByRole('cell', { name: label }).first().waitFor()
    await expectUsable(page, `people-${scheme}`)
    await page.reload()
    await page.getByRole('cell', { name: label }).first().waitFor()
    expect(await page.content()).not.toContain(secret)
    await page.getByRole('button', { name: `Remove: ${label}` }).click()
    await page.getByRole('button', { name: `Really remove?: ${label}` }).click()
    await page.getByRole('button', { name: `Remove: ${label}` }).waitFor({ state: 'detached' })
    const tokens = await fixture.people.queries.selectFrom('api_token').select('label').execute()
    expect(tokens.map((token) => token.label)).not.toContain(label)
    await page.getByLabel(`Role of ${bea}`).selectOption('support')
    await expect.poll(async () => (await fixture.people.findByName(bea))?.role).toBe('support')
    await page.getByRole('button', { name: `Remove: ${bea}` }).click()
    await page.getByRole('button', { name: `Really remove?: ${bea}` }).click()
    await page.getByLabel(`Role of ${bea}`).waitFor({ state: 'detached' })
    expect(await fixture.people.findByName(bea)).toBeUndefined()
    expect(problems).toStrictEqual([])
    await close()
  }
})

it.each([
  ['viewer', ['Overview', 'Hours', 'Retention', 'Rewards', 'Emission', 'Stakes', 'Health'], false],
  [
    'support',
    ['Overview', 'Hours', 'One account', 'Retention', 'Rewards', 'Emission', 'Stakes', 'Health'],
    false,
  ],
  [
    'analyst',
    [
      ...['Overview', 'Hours', 'Miners', 'One account', 'Retention', 'Rewards', 'Emission', 'Stakes'],
      ...['Below the stake', 'Agents', 'Payouts', 'Health'],
    ],
    true,
  ],
] as const)(
  'a %s finds the pages that the console answers, and no others',
  async (role, titles, mayExport) => {
    // Rewards are summed above their days.
    const tables = (title: string): number => (title === 'Rewards' ? 2 : 1)
    const name = await add(`a ${role}`, role)
    const { page, problems, close } = await openPage()
    await page.goto(server.url)
    await signIn(page, name)
    await page.getByText(`${name}, ${role}`).waitFor()
    expect(await page.locator('nav a').allTextContents()).toStrictEqual([...titles, 'People and tokens'])
    for (const title of titles) {
      await page.getByRole('link', { name: title, exact: true }).click()
      await page.getByRole('heading', { name: title, exact: true }).waitFor()
      if (title !== 'One account') await page.getByRole('link', { name: 'JSON' }).first().waitFor()
      expect([title, await page.locator('[role=alert]').allTextContents()]).toStrictEqual([title, []])
      if (title !== 'One account')
        expect([title, await page.getByRole('link', { name: 'CSV', exact: true }).count()]).toStrictEqual([
          title,
          mayExport ? tables(title) : 0,
        ])
    }
    await page.getByRole('link', { name: 'People and tokens' }).click()
    await page.getByText(`You are ${name}, ${role}.`).waitFor()
    await page.getByRole('heading', { name: 'Sessions' }).waitFor()
    expect(await page.getByRole('heading', { name: 'Tokens of the API' }).count()).toBe(0)
    expect(problems).toStrictEqual([])
    await close()
  },
)

it('runs none of 200 texts that stand in labels of tokens and in the log', async () => {
  const { queries } = fixture.people
  const ada = (await fixture.people.findByName('ada'))?.id ?? 0
  const { page, problems, close } = await openPage()
  await page.goto(`${server.url}/#people`)
  await signIn(page, 'ada')
  await page.getByText('You are ada, owner.').waitFor()
  await queries.deleteFrom('api_token').execute()
  await queries.deleteFrom('audit').execute()
  // The database stores no zero byte.
  const texts = payloads.map((text) => text.replaceAll('\0', ''))
  const [created_at, expires_at] = [new Date(fixture.clock.now), new Date(fixture.clock.now + 86_400_000)]
  for (const [number, label] of texts.entries()) {
    const values = { label, role: 'viewer', created_by: ada, created_at, expires_at, last_at: null } as const
    await queries
      .insertInto('api_token')
      .values({ ...values, hash: Buffer.from([number]) })
      .execute()
    await fixture.people.note({ person: label, action: label, subject: label })
  }
  await page.reload()
  const cellsOf = (label: string) => page.getByLabel(label, { exact: true }).locator('td')
  await expect.poll(() => cellsOf('Tokens').count()).toBe(6 * texts.length)
  await expect.poll(() => cellsOf('What was done').count()).toBe(4 * texts.length)
  // A mark of byte order shows nothing, and does not reach this comparison.
  const visible = (all: readonly string[]) => all.map((text) => text.replaceAll('\ufeff', ''))
  const labels = (await cellsOf('Tokens').allTextContents()).filter((_, at) => at % 6 === 0)
  expect(visible(labels)).toStrictEqual(visible(texts))
  const log = (await cellsOf('What was done').allTextContents()).filter((_, at) => at % 4 !== 0)
  expect(visible(log)).toStrictEqual(visible([...texts].reverse().flatMap((text) => [text, text, text])))
  expect(await page.evaluate('globalThis.hit')).toBeUndefined()
  expect(new URL(page.url()).origin).toBe(server.url)
  expect(problems).toStrictEqual([])
  await close()
})
