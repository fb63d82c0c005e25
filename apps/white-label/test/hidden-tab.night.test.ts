import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { findChromium } from '@hailstone/test-browser'
import { chromium, type Page } from 'playwright-core'
import { afterEach, beforeAll, expect, it } from 'vitest'
import { begin, brandFolder, go, importAccount, plain, untilStatus, useApp } from './app-harness.ts'

/**
 * Seconds that the tab is hidden. Chromium runs the timers of a hidden page once a second, and after a while once a
 * minute. Thirteen minutes: HAILSTONE_HIDDEN_S=780 npx vitest run test/hidden-tab.night.test.ts
 */
const HIDDEN_S = Number(process.env.HAILSTONE_HIDDEN_S ?? 60)

const app = useApp({ network: { blockTimeMs: 1_000 } })
let url: string
beforeAll(async () => {
  url = await app.serve({ brandFolder: brandFolder('jamr'), flags: plain })
})

let folder: string | undefined
let child: ChildProcess | undefined
afterEach(async () => {
  if (child?.exitCode === null) {
    const ended = once(child, 'exit')
    child.kill()
    await ended
  }
  if (folder !== undefined) await rm(folder, { recursive: true, force: true, maxRetries: 5 })
})

/** Starts a Chromium that nobody drives, so that its tabs are hidden as those of a person are, and returns its address. */
async function startChromium(): Promise<string> {
  const profile = await mkdtemp(join(tmpdir(), 'hailstone-hidden-'))
  folder = profile
  const quiet = ['--headless=new', '--no-sandbox', '--disable-gpu', '--no-first-run', '--disable-sync']
  const own = ['--remote-debugging-port=0', `--user-data-dir=${profile}`]
  child = spawn(findChromium(), [...quiet, ...own, 'about:blank'], { stdio: 'ignore' })
  let port = ''
  await expect
    .poll(
      async () => {
        const text = await readFile(join(profile, 'DevToolsActivePort'), 'utf8').catch(() => '')
        port = text.split('\n')[0] ?? ''
        return port
      },
      { timeout: 60_000 },
    )
    .not.toBe('')
  return `http://127.0.0.1:${port}`
}

/** Uses the first tab. While it is used, a tab counts as seen. */
async function useTab<T>(address: string, act: (page: Page) => Promise<T>): Promise<T> {
  const browser = await chromium.connectOverCDP(address)
  try {
    const page = browser
      .contexts()[0]
      ?.pages()
      .find((one) => !one.url().startsWith('data:'))
    if (page === undefined) throw new Error('There is no tab.')
    return await act(page)
  } finally {
    // Leaves the browser running.
    await browser.close()
  }
}

type Recorded = { readonly ticks: { readonly atMs: number; readonly isHidden: boolean }[] }

it(`check 21: A1, mines on in a tab that is hidden for ${HIDDEN_S} seconds and whose timers are held back, without a gap`, {
  timeout: HIDDEN_S * 1_000 + 180_000,
}, async () => {
  const address = await startChromium()
  await useTab(address, async (page) => {
    await page.goto(url)
    await importAccount(page, app.keyOf(0))
    await begin(page)
    await untilStatus(page, 'Mining')
    await page.evaluate(() => {
      const recorded: Recorded = { ticks: [] }
      Object.assign(globalThis, { recorded })
      const tick = (): void => {
        recorded.ticks.push({ atMs: performance.now(), isHidden: document.visibilityState === 'hidden' })
        setTimeout(tick, 500)
      }
      tick()
    })
  })
  const miner = app.network.accounts.developers[0]?.address
  const online: number[] = []
  const offered = new Set<string>()
  const signed = new Set<unknown>()
  const stops = [
    app.network.on('beaconOffered', (beacon) => {
      if (beacon.address === miner) offered.add(beacon.microblockHash)
    }),
    app.network.on('publicationJudged', ({ microblockHash, verdict }) => {
      if (verdict === 'accepted') signed.add(microblockHash)
    }),
  ]
  const opened = await fetch(`${address}/json/new?data:text/html,another`, { method: 'PUT' })
  expect(opened.ok).toBe(true)
  for (let second = 0; second < HIDDEN_S; second++) {
    await wait(1_000)
    online.push(app.network.gateway.minersOnline().length)
  }
  for (const stop of stops) stop()
  const { ticks, log } = await useTab(address, async (page) => {
    const found = await page.evaluate(() => (globalThis as unknown as { recorded: Recorded }).recorded.ticks)
    await untilStatus(page, 'Mining')
    await go(page, '/log')
    await page.locator('main h1').waitFor()
    return { ticks: found, log: (await page.locator('main').textContent()) ?? '' }
  })
  const hidden = ticks.filter(({ isHidden }) => isHidden)
  const gaps = hidden.slice(1).map(({ atMs }, at) => atMs - (hidden[at]?.atMs ?? 0))
  console.log(
    `hidden for ${HIDDEN_S} s: ${hidden.length} ticks, longest gap ${Math.round(Math.max(...gaps) / 1_000)} s; ` +
      `${signed.size} of ${offered.size} signed`,
  )
  // The tab was hidden all the time, and its timers were held back: two ticks a second were asked for.
  const last = hidden.at(-1)?.atMs ?? 0
  expect(
    ticks.filter(({ atMs, isHidden }) => !isHidden && atMs > (hidden[0]?.atMs ?? 0) && atMs < last),
  ).toEqual([])
  expect(hidden.length).toBeGreaterThan(1)
  expect(hidden.length).toBeLessThan(HIDDEN_S * 1.2)
  expect(new Set(online)).toEqual(new Set([1]))
  expect(offered.size).toBeGreaterThan(HIDDEN_S / 20)
  // The last one may still be on its way.
  expect([...offered].slice(0, -1).filter((hash) => !signed.has(hash))).toEqual([])
  expect(log).not.toContain('Paused by the device or the browser')
})
