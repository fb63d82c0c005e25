import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { clipped, violations } from './accessibility.ts'
import { brandFolder, go, importAccount, plain, useApp } from './app-harness.ts'

const app = useApp()

type Answer = (response: ServerResponse) => void

/** A feed on another host than the app, which answers what the test says. */
async function openFeed() {
  const headers = { 'Access-Control-Allow-Origin': '*' }
  let answer: Answer = (response) => response.writeHead(200, headers).end('{"incidents":[]}')
  const asked: { readonly cookie: string | undefined; readonly referrer: string | undefined }[] = []
  const server = createServer((request, response) => {
    asked.push({ cookie: request.headers.cookie, referrer: request.headers.referer })
    answer(response)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const say = (status: number, body: string): void => {
    answer = (response) => response.writeHead(status, headers).end(body)
  }
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/summary.json`,
    host: `127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked,
    say,
    report: (...incidents: readonly object[]) => say(200, JSON.stringify({ incidents })),
    stop: () => {
      server.close()
      server.closeAllConnections()
    },
  }
}

let feed: Awaited<ReturnType<typeof openFeed>>
let url: string
beforeAll(async () => {
  feed = await openFeed()
  url = await app.serve({
    brandFolder: brandFolder('jamr'),
    flags: { ...plain, links: { statusFeed: feed.url } },
  })
})
afterAll(() => feed?.stop())

const minor = { id: 'slow', title: 'Rewards come late', impact: 'minor', startedAt: '2026-01-01T00:00:00Z' }
const major = { id: 'down', title: 'Gateways are down', impact: 'major', url: 'https://status.example/down' }

/** Opens the app anew and waits until it has read the feed, well or badly. */
async function readAgain(page: Page, outcome: 'read' | 'failed'): Promise<void> {
  await page.reload()
  await page.locator(`.incidents[data-reading="${outcome}"]`).waitFor({ state: 'attached' })
}

/** Everything that the page says about the feed. */
const said = (page: Page): Promise<string | null> => page.locator('.incidents').textContent()

describe('a feed of incidents', () => {
  it('check 32: is a banner for serious trouble, a line for minor, text alone, and silent when it fails', async () => {
    const page = await app.open(url)
    feed.say(500, '{"incidents":[]}')
    await importAccount(page, app.keyOf(0))
    await page.locator('.incidents[data-reading="failed"]').waitFor({ state: 'attached' })
    expect(await said(page)).toBe('')
    // Each would be trouble, or its absence, if it were read as what it is not.
    const padding = ' '.repeat(1024 * 1024)
    const bad = [
      [200, '<!doctype html><title>All systems operational</title>'],
      [200, `${JSON.stringify({ incidents: [major] }).slice(0, -1)}${padding}}`],
      [200, JSON.stringify({ incidents: [{ ...major, impact: 'apocalyptic' }] })],
      [404, JSON.stringify({ incidents: [major] })],
    ] as const
    for (const [status, body] of bad) {
      feed.say(status, body)
      await readAgain(page, 'failed')
      expect(await said(page)).toBe('')
    }
    feed.report()
    await readAgain(page, 'read')
    expect(await said(page)).toBe('')

    feed.report(minor)
    await readAgain(page, 'read')
    const line = page.locator('.incident-line')
    await line.getByText('Rewards come late').waitFor()
    expect(await line.textContent()).toMatch(/reports minor trouble[\s\S]*Began .* ago · read/)
    expect(await page.locator('.incidents .notice').count()).toBe(0)
    // The age, which changes all the time, is not read aloud.
    expect(await line.getByRole('status').textContent()).toMatch(/reports minor troubleRewards come late$/)

    feed.report(minor, { ...major, title: '<img src=x onerror=alert(1)><script>alert(2)</script>' })
    await readAgain(page, 'read')
    const banner = page.locator('.incidents .notice-danger')
    await banner.getByText('<img src=x onerror=alert(1)><script>alert(2)</script>').waitFor()
    expect(await banner.textContent()).toContain(`${feed.host}\u2069 reports serious trouble`)
    expect(await banner.getByRole('status').textContent()).toMatch(
      /reports serious trouble<img .*<\/script>$/,
    )
    expect(await page.locator('.incidents [role="status"]').count()).toBe(2)
    expect(await page.locator('.incidents script, .incidents img').count()).toBe(0)
    const link = banner.getByRole('link', { name: 'status.example' })
    expect([await link.getAttribute('href'), await link.getAttribute('rel')]).toEqual([
      'https://status.example/down',
      'noopener noreferrer',
    ])

    // On every screen, above what it shows, and for an hour after the feed went silent.
    feed.say(500, '')
    await readAgain(page, 'failed')
    await go(page, '/wallet')
    await banner.waitFor()
    const top = async (selector: string) => (await page.locator(selector).first().boundingBox())?.y ?? 0
    expect(await top('.incidents')).toBeLessThan(await top('main'))
    expect(await violations(page)).toEqual([])
    await page.setViewportSize({ width: 320, height: 640 })
    for (const size of ['100%', '200%']) {
      await page.evaluate((text) => document.documentElement.style.setProperty('font-size', text), size)
      expect(await clipped(page), size).toEqual([])
    }

    // Put away it stays away, until it changes; Network still has it.
    await banner.getByRole('button', { name: 'Hide' }).click()
    await banner.waitFor({ state: 'detached' })
    feed.report(minor, { ...major, title: '<img src=x onerror=alert(1)><script>alert(2)</script>' })
    await readAgain(page, 'read')
    await line.waitFor()
    expect(await banner.count()).toBe(0)
    await go(page, '/more/network')
    const card = page.getByRole('region', { name: 'Reported trouble' })
    await expect.poll(() => card.locator('li').count()).toBe(2)
    feed.report({ ...major, title: 'Gateways are down again' })
    await readAgain(page, 'read')
    await banner.getByText('Gateways are down again').waitFor()

    // The end of all trouble is silence, too.
    feed.report()
    await readAgain(page, 'read')
    expect(await said(page)).toBe('')
    expect(await page.locator('.incident-list').count()).toBe(0)
    const everything = await page.locator('body').textContent()
    expect(everything).not.toMatch(/all (?:is well|systems)|operational|no (?:incidents|trouble)/i)
    expect(new Set(feed.asked.flatMap((one) => Object.values(one)))).toEqual(new Set([undefined]))
  })

  it('check 32: is forgotten an hour after the last reading', async () => {
    feed.report(major)
    const page = await app.open(url)
    await importAccount(page, app.keyOf(1))
    await page.locator('.incidents .notice-danger').waitFor()
    feed.say(500, '')
    await page.clock.install({ time: Date.now() + 35 * 60_000 })
    await readAgain(page, 'failed')
    await page.locator('.incidents .notice-danger').waitFor()
    await page.clock.fastForward(30 * 60_000)
    await page.locator('.incidents .notice-danger').waitFor({ state: 'detached' })
  })

  it('check 32: what was put away stays away when nothing was read for an hour', async () => {
    feed.report(minor, major)
    const page = await app.open(url)
    await importAccount(page, app.keyOf(3))
    const banner = page.locator('.incidents .notice-danger')
    await banner.getByRole('button', { name: 'Hide' }).click()
    await banner.waitFor({ state: 'detached' })
    feed.say(500, '')
    await page.clock.install({ time: Date.now() + 65 * 60_000 })
    await readAgain(page, 'failed')
    expect(await said(page)).toBe('')
    feed.report(minor, major)
    await readAgain(page, 'read')
    await page.locator('.incident-line').waitFor()
    expect(await banner.count()).toBe(0)
  })

  it('check 32: is asked by no app whose brand names none', async () => {
    const other = await app.serve({ brandFolder: brandFolder('jamr'), flags: plain })
    const before = feed.asked.length
    const page = await app.open(other)
    await importAccount(page, app.keyOf(2))
    await page.locator('[data-status="ready"]').waitFor()
    expect(await page.locator('.incidents').count()).toBe(0)
    expect(feed.asked.length).toBe(before)
  })
})
