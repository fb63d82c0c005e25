import { randomUUID } from 'node:crypto'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { verifySignIn, walletFromPrivateKey } from '@hailstone/client'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import {
  brandFolder,
  go,
  holdDerivations,
  importAccount,
  PASSPHRASE,
  plain,
  setEnginesForward,
  useApp,
} from './app-harness.ts'

const app = useApp()
let url: string
let partner: Server
let host: string
/** Nonces that the partner's server gave out and did not take back. */
const nonces = new Set<string>()
/** Answers that its page got. */
let answers: string[] = []

/** The partner's page hands on what is in its fragment, as the guide has it. */
const SIGNED_IN = `<!doctype html><h1>Partner</h1><p id="said"></p><script>
  const answer = new URLSearchParams(location.hash.slice(1)).get('signIn')
  fetch('/sign-in', { method: 'POST', body: answer })
    .then((answered) => answered.text())
    .then((text) => { document.getElementById('said').textContent = text })
</script>`

beforeAll(async () => {
  partner = createServer(async (request, response) => {
    if (request.method === 'GET') {
      response.writeHead(200, { 'content-type': 'text/html' }).end(SIGNED_IN)
      return
    }
    let body = ''
    for await (const part of request) body += part
    answers.push(body)
    const nonce = /nonce=([\w-]+)/.exec(request.headers.cookie ?? '')?.[1] ?? ''
    const proof: unknown = await new Response(body).json().catch(() => null)
    const check = nonces.delete(nonce) ? verifySignIn(proof, { host, nonce }) : null
    response.end(check === null ? 'asked again' : check.ok ? check.address : check.why)
  })
  await new Promise<void>((resolve) => partner.listen(0, '127.0.0.1', resolve))
  host = `127.0.0.1:${(partner.address() as AddressInfo).port}`
  const flags = { ...plain, links: { signIn: [`http://${host}/signed-in`] } }
  url = await app.serve({ brandFolder: brandFolder('jamr'), flags })
})
afterAll(() => {
  partner.close()
  partner.closeAllConnections()
})

const field = (page: Page) => page.getByLabel('Passphrase', { exact: true })
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })

/** Has the partner ask this browser, and returns the link. */
async function ask(page: Page, change: Readonly<Record<string, string>> = {}): Promise<string> {
  answers = []
  const nonce = randomUUID()
  nonces.add(nonce)
  await page.context().addCookies([{ name: 'nonce', value: nonce, url: `http://${host}` }])
  const asked = { page: `http://${host}/signed-in`, nonce, expires: String(Date.now() + 300_000), ...change }
  return `${url}#/sign-in?${new URLSearchParams(asked)}`
}

/** Opens the app with a funded account. */
async function openAccount(): Promise<Page> {
  const page = await app.open(url)
  await importAccount(page, app.keyOf(0))
  await button(page, 'Start mining').waitFor()
  return page
}

/** Opens a link as another page does: the app starts, and its key is locked. */
async function follow(page: Page, link: string): Promise<void> {
  await page.goto('about:blank')
  await page.goto(link)
}

async function agree(page: Page): Promise<void> {
  await field(page).fill(PASSPHRASE)
  await button(page, 'Sign in').click()
}

it('says to whom and what it proves, signs in at the partner, and answers a request once', async () => {
  const page = await openAccount()
  const link = await ask(page)
  await follow(page, link)
  expect(await page.locator('[data-sign-in="host"]').textContent()).toBe(host)
  await page.getByText(`proves to ${host} that you hold the key`).waitFor()
  await page.getByText('It is not a payment').waitFor()
  await field(page).fill('not the passphrase')
  await button(page, 'Sign in').click()
  await page.getByText('Wrong passphrase.').waitFor()
  await agree(page)
  // The app shows the address, too, until the partner's page takes its place.
  const { address } = walletFromPrivateKey(app.keyOf(0))
  await page.locator('#said', { hasText: address }).waitFor()
  expect(new URL(page.url()).pathname).toBe('/signed-in')

  await follow(page, link)
  await agree(page)
  await page.getByText('This request was answered before').waitFor()
  expect(answers).toHaveLength(1)
})

it('tells the partner that a person refused, and signs nothing', async () => {
  const page = await openAccount()
  await follow(page, await ask(page))
  await button(page, 'Do not sign in').click()
  await page.getByRole('heading', { name: 'Partner' }).waitFor()
  await page.getByText('malformed').waitFor()
  expect(answers).toEqual(['refused'])
})

it('asks nobody on behalf of a page that the brand does not list, or without a good request', async () => {
  const page = await openAccount()
  for (const [change, sentence] of [
    [{ page: 'https://evil.example/signed-in' }, 'This app does not sign in at evil.example.'],
    [{ page: `http://${host}/elsewhere` }, `This app does not sign in at ${host}.`],
    [{ nonce: 'short' }, 'asks for nothing that this app can answer'],
    [{ expires: String(Date.now() - 1) }, 'This request has expired'],
  ] as const) {
    await follow(page, await ask(page, change))
    await page.getByText(sentence).waitFor()
    expect(await field(page).count()).toBe(0)
  }
  expect(answers).toEqual([])
})

it('signs nothing for a request that expires while the passphrase is entered', async () => {
  const page = await openAccount()
  await follow(page, await ask(page))
  await field(page).waitFor()
  await setEnginesForward(page, 300_001)
  await agree(page)
  await page.getByText('This request has expired').waitFor()
  expect(answers).toEqual([])
})

it('signs nothing for somebody who leaves, and nothing of one request for another', async () => {
  const page = await openAccount()
  const link = await ask(page)
  await go(page, link.slice(link.indexOf('#') + 1))
  const letGo = await holdDerivations(page)
  await agree(page)
  await button(page, 'Opening…').waitFor()
  await go(page, '/more')
  await page.getByRole('heading', { name: 'More' }).waitFor()
  await letGo()
  await go(page, link.slice(link.indexOf('#') + 1))
  const letGoAgain = await holdDerivations(page)
  await agree(page)
  await button(page, 'Opening…').waitFor()
  // Another request takes the place of this one.
  const other = await ask(page)
  await go(page, other.slice(other.indexOf('#') + 1))
  await button(page, 'Sign in').waitFor()
  await letGoAgain()
  expect(answers).toEqual([])
  // Neither was answered: the first one still can be.
  await go(page, link.slice(link.indexOf('#') + 1))
  await agree(page)
  await page.getByRole('heading', { name: 'Partner' }).waitFor()
  await page.getByText('anotherNonce').waitFor()
  expect(answers).toHaveLength(1)
})

it('has no such screen where the brand lists no page', async () => {
  const page = await app.open(await app.serve({ brandFolder: brandFolder('jamr'), flags: plain }))
  await importAccount(page, app.keyOf(0))
  await button(page, 'Start mining').waitFor()
  const link = await ask(page)
  await go(page, link.slice(link.indexOf('#') + 1))
  await button(page, 'Start mining').waitFor()
  expect(new URL(page.url()).pathname).toBe('/')
})
