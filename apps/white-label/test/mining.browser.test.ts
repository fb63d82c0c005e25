import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, it } from 'vitest'
import { startScriptedGateway } from '../../../packages/mining-node/test/scripted-gateway.ts'
import { withinMs } from '../../../scripts/strict-times.ts'
import {
  begin,
  brandFolder,
  go,
  importAccount,
  plain,
  refuseCall,
  setEnginesForward,
  textAt,
  unlock,
  untilStatus,
  useApp,
} from './app-harness.ts'
import { relayGateway } from './gateway-relay.ts'

const app = useApp()
let url: string

beforeAll(async () => {
  url = await app.serve({ brandFolder: brandFolder('jamr'), flags: plain })
})

const counts = async (page: Page): Promise<readonly [signed: number, included: number]> => {
  const text = (await textAt(page, '.facts-inline .fact:last-child dd')) ?? '0 · 0'
  const [signed = 0, included = 0] = text.split(' · ').map(Number)
  return [signed, included]
}

describe('mining', () => {
  it('check 15: says what is missing below the minimum stake, and starts once it is there', async () => {
    const page = await app.open(url, { reducedMotion: 'no-preference' })
    const fresh = '7'.repeat(64)
    await importAccount(page, fresh)
    await page.locator('[data-status="ready"]').waitFor()
    await untilStatus(page, '25 DEV to go')
    const block = page.locator('.status')
    await block.getByText('Hold 25 DEV to mine. They stay yours.').waitFor()
    await block.getByText('0 / 25 DEV').waitFor()
    expect(await block.locator('.button-primary').allTextContents()).toEqual(['Get test coins'])
    await begin(page)
    await page.getByRole('status').getByText('Mining begins by itself once they are here.').waitFor()
    await untilStatus(page, '25 DEV to go')
    await page.getByRole('button', { name: 'Get test coins' }).click()
    // Whoever pressed Start wants to mine: nothing else has to be pressed.
    await page.locator('.balance-amount', { hasText: '25' }).waitFor()
    await untilStatus(page, 'Mining')
  })

  it('G-18, check 16: goes on while the interface is down, shows the last value with its age and never zero', async () => {
    const page = await app.open(url)
    await importAccount(page, app.keyOf(0))
    await begin(page)
    await untilStatus(page, 'Mining')
    const before = await textAt(page, '.balance-amount')
    expect(before).toMatch(/^[1-9]/)
    app.network.faults.set({
      seed: 1,
      rules: [{ on: 'api', fault: { status: { code: 500 } } }],
    })
    await page.getByText('The network does not answer at the moment').waitFor()
    const [signed] = await counts(page)
    expect(await textAt(page, '.balance-amount')).toMatch(/^[1-9]/)
    await page.getByText(/^As of/).waitFor()
    await expect.poll(async () => (await counts(page))[0]).toBeGreaterThan(signed)
    await untilStatus(page, 'Mining')
    app.network.faults.clear()
    await page.getByText('The network does not answer at the moment').waitFor({ state: 'detached' })
  })

  it('check 16: says within seconds that the device is offline, and goes on by itself', async () => {
    const page = await app.open(url)
    await importAccount(page, app.keyOf(1))
    await begin(page)
    await untilStatus(page, 'Mining')
    await page.context().setOffline(true)
    await untilStatus(page, 'Paused')
    await page.locator('.status-reason', { hasText: 'continues by itself when it is back' }).waitFor()
    expect(await textAt(page, '.balance-amount')).toMatch(/^[1-9]/)
    await page.context().setOffline(false)
    await untilStatus(page, 'Mining')
    await go(page, '/log')
    await page.locator('.log-paused').first().waitFor()
  })

  it('says when a start or a stop does not work, and does it the next time', async () => {
    const page = await app.open(url)
    await importAccount(page, app.keyOf(4))
    await page.locator('[data-status="ready"]').waitFor()
    for (const [call, name, line] of [
      ['start', 'Start mining', 'Mining'],
      ['stop', 'Stop mining', 'Not mining'],
    ] as const) {
      const allow = await refuseCall(page, call)
      await page.getByRole('button', { name }).click()
      await page.getByRole('alert').getByText('This did not work.').waitFor()
      await allow()
      await page.getByRole('button', { name }).click()
      await untilStatus(page, line)
      expect(await page.getByText('This did not work.').count()).toBe(0)
    }
  })

  it('is started by a double click, and not stopped again by its second half', async () => {
    const page = await app.open(url)
    await importAccount(page, app.keyOf(4))
    await page.locator('[data-status="ready"]').waitFor()
    const button = page.locator('.ring-button')
    await button.click()
    await page.getByRole('button', { name: 'Stop mining' }).waitFor()
    const { mouse } = page
    await mouse.down({ clickCount: 2 })
    await mouse.up({ clickCount: 2 })
    await untilStatus(page, 'Mining')
    expect(await button.textContent()).toBe('Stop mining')
  })

  it('adds up choices that come one right after the other, and leaves alone what somebody types', async () => {
    const page = await app.open(url)
    await importAccount(page, app.keyOf(4))
    await page.getByRole('button', { name: 'Start mining' }).waitFor()
    await go(page, '/more/policy')
    const names = ['Not on mobile data', 'Quiet hours']
    await page.getByRole('switch', { name: 'Quiet hours' }).waitFor()
    await page.evaluate((wanted) => {
      for (const one of document.querySelectorAll<HTMLButtonElement>('[role="switch"]'))
        if (wanted.includes(one.closest('.toggle-row')?.querySelector('label')?.textContent ?? ''))
          one.click()
    }, names)
    const battery = page.getByLabel('Pause below battery percent')
    await battery.fill('')
    expect(await battery.inputValue()).toBe('')
    await battery.pressSequentially('45')
    // Another tab shows the stored state.
    const other = await page.context().newPage()
    await other.goto(`${url}more/policy`)
    for (const name of names) await other.getByRole('switch', { name, checked: true }).waitFor()
    await expect.poll(() => other.getByLabel('Pause below battery percent').inputValue()).toBe('45')
    expect(await battery.inputValue()).toBe('45')
  })

  it('finds the second gateway when the first is dead, and earns', async () => {
    const poa = ['ws://127.0.0.1:9', app.network.gatewayUrl]
    const two = await app.serve({
      brandFolder: brandFolder('jamr'),
      flags: { ...plain, network: { preset: 'devnet', api: app.network.apiUrl, poa } },
    })
    const page = await app.open(two)
    await importAccount(page, app.keyOf(3))
    await begin(page)
    await untilStatus(page, 'Mining')
    await expect.poll(async () => (await counts(page))[1]).toBeGreaterThan(0)
    await go(page, '/more/network')
    // The address in use is the brand's without its slash, and no second gateway.
    const unused = page.locator('dd', { hasText: 'Not used' }).locator('.hash')
    await expect.poll(() => unused.allTextContents()).toEqual(['ws://127.0.0.1:9'])
  })

  it('check 31: mines on the second gateway within two seconds when the first goes away, and says where', async () => {
    const relays = [await relayGateway(app.network.gatewayUrl), await relayGateway(app.network.gatewayUrl)]
    try {
      const two = await app.serve({
        brandFolder: brandFolder('jamr'),
        flags: {
          ...plain,
          network: { preset: 'devnet', api: app.network.apiUrl, poa: relays.map(({ url: poa }) => poa) },
        },
      })
      const page = await app.open(two)
      await importAccount(page, app.keyOf(1))
      await begin(page)
      await untilStatus(page, 'Mining')
      const first = relays.find(({ open }) => open() > 0)
      const second = relays.find((relay) => relay !== first)
      if (first === undefined || second === undefined) throw new Error('no relay is in use')
      await go(page, '/more/network')
      const unused = page.locator('dd', { hasText: 'Not used' }).locator('.hash')
      expect(await unused.textContent()).toBe(second.url)
      first.stop()
      const stoppedAt = Date.now()
      await expect.poll(second.open, { interval: 20 }).toBe(1)
      expect(Date.now() - stoppedAt).toBeLessThan(withinMs(2_000))
      await expect.poll(() => unused.textContent()).toBe(first.url)
      await go(page, '/')
      await untilStatus(page, 'Mining')
      await go(page, '/log')
      await page.locator('.log-connected', { hasText: second.url }).waitFor()
      await page.locator('.log-connected', { hasText: first.url }).waitFor()
    } finally {
      for (const relay of relays) relay.stop()
    }
  })

  it('waits at a gateway of a newer version, and says what helps', async () => {
    await using gateway = await startScriptedGateway()
    const newer = await app.serve({
      brandFolder: brandFolder('jamr'),
      flags: { ...plain, network: { preset: 'devnet', api: app.network.apiUrl, poa: [gateway.url] } },
    })
    const page = await app.open(newer)
    await importAccount(page, app.keyOf(4))
    await begin(page)
    const socket = await gateway.hailed()
    socket.send('{"ver":4,"err":"ERR_WRONG_PROTOCOL_VERSION"}')
    await page.locator('.status-reason', { hasText: 'uses a newer protocol' }).waitFor()
  })

  it('G-16, A2: one tab of several mines; another that was unlocked takes over within two seconds when it is closed', async () => {
    const context = await app.device()
    const first = await context.newPage()
    await first.goto(url)
    await importAccount(first, app.keyOf(2))
    const second = await context.newPage()
    await second.goto(url)
    await begin(second)
    await untilStatus(first, 'Mining')
    await untilStatus(second, 'Mining')
    expect(app.sessionsOf(2)).toHaveLength(1)
    await second.getByText('Another tab of this browser is mining.').waitFor()
    await unlock(second)
    await expect.poll(async () => (await counts(second))[0]).toBeGreaterThan(0)
    const closedAt = Date.now()
    await first.close()
    await second.getByText('Another tab of this browser is mining.').waitFor({ state: 'detached' })
    const tookMs = Date.now() - closedAt
    expect(tookMs).toBeLessThan(withinMs(2_000))
    await untilStatus(second, 'Mining')
    await expect.poll(() => app.sessionsOf(2).length).toBe(1)
  })

  it('G-16, A1: a page the browser freezes hands over, and comes back without a second session', async () => {
    const context = await app.device()
    const page = await context.newPage()
    await page.goto(url)
    await importAccount(page, app.keyOf(3))
    await begin(page)
    await untilStatus(page, 'Mining')
    await page.evaluate(() => document.dispatchEvent(new Event('freeze')))
    await expect.poll(() => app.sessionsOf(3).length).toBe(0)
    await page.evaluate(() => document.dispatchEvent(new Event('resume')))
    await untilStatus(page, 'Mining')
    await expect.poll(() => app.sessionsOf(3).length).toBe(1)
  })

  it('check 16: writes a freeze of half a minute into the work log', async () => {
    const page = await app.open(url)
    await importAccount(page, app.keyOf(4))
    await begin(page)
    await untilStatus(page, 'Mining')
    await page.evaluate(() => document.dispatchEvent(new Event('freeze')))
    await expect.poll(() => app.sessionsOf(4).length).toBe(0)
    await setEnginesForward(page, 33_000)
    await page.evaluate(() => document.dispatchEvent(new Event('resume')))
    await untilStatus(page, 'Mining')
    await go(page, '/log')
    await page.getByText('Paused by the device or the browser').first().waitFor()
  })
})
