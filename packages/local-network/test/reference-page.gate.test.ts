import { openBrowser } from '@hailstone/test-browser'
import axe from 'axe-core'
import type { Browser, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type LocalNetwork, startLocalNetwork } from '../src/index.ts'

let network: LocalNetwork
let browser: Browser
let page: Page
/** Errors of scripts, and whatever the policy of the page refused. */
const faults: string[] = []
const foreign: string[] = []

/** Goes to an operation, as a link to it does. */
async function goTo(tag: string, method: string, path: string): Promise<void> {
  await page.goto('about:blank')
  await page.goto(`${network.docsUrl}#tag/${tag}/${method.toUpperCase()}${path}`)
  await page.getByRole('button', { name: `Test Request (${method} ${path})` }).waitFor()
}

const openForm = async (method: string, path: string): Promise<void> => {
  await page.getByRole('button', { name: `Test Request (${method} ${path})` }).click()
  await send().waitFor()
}
const dialog = () => page.getByRole('dialog')
const send = () => dialog().getByRole('button', { name: /^Send \w+ request to/ })
const visibleText = (): Promise<string> => page.evaluate(() => document.body.innerText)

describe('the page of the reference', () => {
  beforeAll(async () => {
    network = await startLocalNetwork({ seed: 'reference page', blockTimeMs: 500, control: true })
    browser = await openBrowser()
    await network.control.mine(3)
  })

  afterAll(async () => {
    await browser?.close()
    await network?.stop()
  })

  beforeEach(async () => {
    faults.length = 0
    foreign.length = 0
    page = await browser.newPage({ viewport: { width: 1440, height: 900 } })
    page.on('console', (message) => message.type() === 'error' && faults.push(message.text()))
    page.on('pageerror', (error) => faults.push(String(error)))
    const own = new URL(network.apiUrl).origin
    page.on('request', (request) => {
      if (!/^(?:data|blob):/.test(request.url()) && !request.url().startsWith(own))
        foreign.push(request.url())
    })
  })

  afterEach(async () => {
    await page.close()
    expect([...faults, ...foreign]).toEqual([])
  })

  it('is searched by the name of a member, opened and sent by keyboard, with an address of this chain', async () => {
    await page.goto(network.docsUrl)
    await page.getByRole('button', { name: 'Search' }).waitFor()
    await page.keyboard.press('Control+k')
    await page.getByRole('combobox', { name: /search/i }).fill('refreward')
    await page.getByRole('option', { name: /\/account_refreward/ }).waitFor()
    await page.getByRole('combobox', { name: /search/i }).fill('Balance of one token')
    await page
      .getByRole('option', { name: /\/balance$/ })
      .first()
      .waitFor()
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    const button = page.getByRole('button', { name: 'Test Request (get /balance)' })
    await button.focus()
    await page.keyboard.press('Enter')
    await send().focus()
    const sent = page.waitForRequest(/\/api\/v1\/balance\?/)
    await page.keyboard.press('Enter')
    expect(new URL((await sent).url()).searchParams.get('id')).toMatch(/^0[23][0-9a-f]{64}$/)
    await dialog().getByText('200 OK').first().waitFor()
    await dialog().getByText('"amount"').first().waitFor()
  })

  it('tells the meaning of members of body and answer, and how a transaction is signed, with a vector', async () => {
    await page.goto(network.docsUrl)
    await page.getByText('d55d020bac2910c94fc32390c1a8a291aed6cebf4be361d119f2003cdae22476').waitFor()
    await goTo('transactions', 'post', '/tx')
    const text = await visibleText()
    const live = await (await fetch(`${network.docsUrl}/json`)).json()
    const { post } = live.paths['/tx']
    const body = post.requestBody.content['application/json'].schema.items.properties
    const answer = post.responses['200'].content['application/json'].schema.properties
    const meanings = [body, answer, answer.result.items.properties].flatMap((members) =>
      Object.values(members as Record<string, { readonly description: string }>).map(
        (one) => one.description,
      ),
    )
    expect(meanings.length).toBeGreaterThan(10)
    const plain = (markdown: string): string => markdown.replaceAll('`', '')
    expect(meanings.filter((meaning) => !text.includes(plain(meaning)))).toEqual([])
  })

  it('sends the payment that it offers, which is a new one each time that the page is opened', async () => {
    const hashes = new Set<string>()
    for (let count = 0; count < 2; count++) {
      await goTo('transactions', 'post', '/tx')
      await page.getByText('Changes this network.').first().waitFor()
      await openForm('post', '/tx')
      const answered = page.waitForResponse(/\/api\/v1\/tx$/)
      await send().click()
      hashes.add((await (await answered).json()).result[0].hash)
    }
    expect(hashes.size).toBe(2)
    const [hash = ''] = hashes
    const found = async () => (await fetch(`${network.apiUrl}/tx?hash=${hash}`)).text()
    await expect.poll(found).toContain('"status":3')
  })

  it('sends an order of the control interface, shows every digit of a unit, and a refusal as it is', async () => {
    await goTo('control', 'post', '/mine')
    await openForm('post', '/mine')
    const mined = page.waitForResponse(/\/control\/v1\/mine$/)
    await send().click()
    expect((await mined).status()).toBe(200)
    const tsup = '18446744073709551615'
    await page.route('**/api/v1/stats', (route) =>
      route.fulfill({ contentType: 'application/json', body: `{"tsup":${tsup}}` }),
    )
    await goTo('network', 'get', '/stats')
    await openForm('get', '/stats')
    await send().click()
    await dialog().getByText(tsup).first().waitFor()
    await page.route('**/api/v1/height', (route) =>
      route.fulfill({ status: 503, contentType: 'application/json', body: '{"err":1,"message":"away"}' }),
    )
    await goTo('blocks', 'get', '/height')
    await openForm('get', '/height')
    await send().click()
    await dialog().getByText('503 Service Unavailable').first().waitFor()
    // Chromium reports it as a failed resource.
    expect(faults.splice(0)).toEqual([expect.stringContaining('503')])
  })

  it('writes the call for curl, in TypeScript with the client, and in Python', async () => {
    await goTo('blocks', 'get', '/macroblock_by_height')
    const found = async (name: RegExp, words: string): Promise<void> => {
      await page
        .getByRole('button', { name: /^Change code sample language/ })
        .first()
        .click()
      await page.getByRole('option', { name }).first().click()
      await page.getByText(words).first().waitFor()
    }
    await page.getByText(`${network.apiUrl}/macroblock_by_height?height=`).first().waitFor()
    await found(/^TypeScript/, 'client.getMacroblock({ height:')
    await found(/^Requests/, 'requests.get(')
  })

  it('has nothing of ours that axe complains about, in light and dark', async () => {
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme })
      await goTo('transactions', 'post', '/tx')
      const found = (await page.evaluate(
        `${axe.source}; axe.run().then(({ violations }) => violations.map(({ id, nodes }) => id + ' ' + nodes[0].html))`,
      )) as readonly string[]
      expect(found).toEqual([])
    }
  })

  it('fits on a telephone', async () => {
    await page.setViewportSize({ width: 360, height: 740 })
    for (const [tag, method, path] of [
      ['transactions', 'post', '/tx'],
      ['histories', 'get', '/account'],
    ] as const) {
      await goTo(tag, method, path)
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(360)
      await openForm(method, path)
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(360)
    }
  })
})
