import { createClient, walletFromPrivateKey } from '@hailstone/client'
import { createMiningNode } from '@hailstone/mining-node'
import { encodeReferralCode } from '@hailstone/protocol'
import type { Locator, Page } from 'playwright-core'
import { beforeAll, describe, expect, it } from 'vitest'
import { rewardStoreName } from '../src/engine/engine-config.ts'
import { expectFine } from './accessibility.ts'
import { brandFolder, go, importAccount, PASSPHRASE, plain, textAt, useApp } from './app-harness.ts'

const app = useApp({ network: { blockTimeMs: 1_000 } })

let url: string
beforeAll(async () => {
  const flags = { ...plain, i18n: { default: 'en', enabled: ['en', 'ar'] } }
  url = await app.serve({ brandFolder: brandFolder('jamr'), flags })
})

const account = (index: number) => walletFromPrivateKey(app.keyOf(index))

/** Mines as an invited person does, until a number of rewards came. */
async function mine(index: number, { count, agent }: { readonly count: number; readonly agent?: string }) {
  const client = createClient({ apiUrl: app.network.apiUrl })
  const node = createMiningNode({
    wallet: account(index),
    client,
    gatewayUrl: app.network.gatewayUrl,
    tokenId: app.network.tokens.native.id,
    referralAgent: agent,
    blockTimeMs: 500,
  })
  let rewards = 0
  node.on('rewarded', ({ role }) => {
    if (role === 'miner') rewards++
  })
  await node.start()
  await expect.poll(() => rewards).toBeGreaterThanOrEqual(count)
  await node.stop()
  await client.close()
}

/** Returns the text of an amount: the figure of a screen has a space that does not break. */
const plainSpaces = (amount: string | null): string => amount?.replace('\u00a0', ' ') ?? ''

/** Returns what the first four parts of a screen are called. */
const partsOf = (page: Page): Promise<readonly (string | null)[]> =>
  page
    .locator('main > :is(.hero, section)')
    .evaluateAll((parts) =>
      parts.slice(0, 4).map((part) => part.querySelector('.hero-label, h2')?.textContent ?? null),
    )

/** Presses "Why?" in the row of an invited miner and returns the sentence that answers. */
async function cause(row: Locator): Promise<string | null> {
  await row.getByRole('button', { name: 'Why?' }).click()
  const answer = row.getByRole('status').last()
  await answer.filter({ hasText: /\./ }).waitFor()
  return answer.textContent()
}

/** Writes older rewards as the engine does, one unit each, for one miner after the other. */
const writeOlder = (page: Page, parameters: { name: string; rewards: number; miners: readonly string[] }) =>
  page.evaluate(
    ({ name, rewards, miners }) =>
      new Promise<void>((resolve, reject) => {
        const opening = indexedDB.open(name)
        opening.onerror = () => reject(opening.error)
        opening.onsuccess = () => {
          const transaction = opening.result.transaction(['rows', 'extent'], 'readwrite')
          const rows = transaction.objectStore('rows')
          const extents = transaction.objectStore('extent')
          const newest = rows.openCursor(null, 'prev')
          newest.onsuccess = () => {
            const row = newest.result?.value
            const asked = extents.get('extent')
            asked.onsuccess = () => {
              const extent = asked.result
              for (let older = 1; older <= rewards; older++)
                rows.put({
                  ...row,
                  place: extent.first - older,
                  index: extent.bottom.index - older,
                  sumBefore: extent.sumFirst - BigInt(older),
                  role: 'agent',
                  amount: 1n,
                  miner: miners[older % miners.length],
                })
              const agent = (extent.counts.agent ?? 0) + rewards
              const [first, sumFirst] = [extent.first - rewards, extent.sumFirst - BigInt(rewards)]
              extents.put({ ...extent, first, sumFirst, counts: { ...extent.counts, agent } }, 'extent')
            }
          }
          transaction.onabort = () => reject(transaction.error)
          transaction.oncomplete = () => {
            opening.result.close()
            resolve()
          }
        }
      }),
    parameters,
  )

/** Opens the invitation anew on a device whose clock is more than a day ahead. */
async function openADayLater(page: Page): Promise<void> {
  await page.evaluate((aheadMs) => {
    const now = Date.now
    Date.now = () => now() + aheadMs
  }, 25 * 3_600_000)
  await go(page, '/')
  await page.locator('.ring-button').waitFor()
  await go(page, '/invite')
}

describe('campaigns of an agent', () => {
  it('shows what came for each invited miner, why nothing more does, and sums by campaign', async () => {
    const agent = account(0).address
    const { address: invited } = account(1)
    await mine(1, { count: 2, agent })
    const page = await app.open(url, { viewport: { width: 320, height: 640 }, reducedMotion: 'reduce' })
    await importAccount(page, app.keyOf(0))
    await go(page, '/rewards')
    await page.locator('.rows .row').nth(1).waitFor()
    await go(page, '/invite')
    const row = page.locator(`[data-invited="${invited}"]`)
    await row.getByText(/^Last earned/).waitFor()
    const total = plainSpaces(await textAt(page, '[data-invited="total"] .amount'))
    expect(total).toMatch(/[1-9]/)
    expect(plainSpaces(await row.locator('.amount').first().textContent())).toBe(total)
    expect(await partsOf(page)).toEqual([
      'Earned by invitations',
      'Your code',
      'Your condition',
      'Invited miners',
    ])
    expect(await row.getByRole('button', { name: 'Why?' }).count()).toBe(0)

    await page.getByLabel('Name of the campaign').fill('spring fair')
    await page.getByRole('button', { name: 'Make a link' }).click()
    await page.getByRole('alert').getByText('1 to 20 letters').waitFor()
    await page.getByLabel('Name of the campaign').fill('spring')
    await page.getByRole('button', { name: 'Make a link' }).click()
    const campaign = page.locator('[data-campaign="spring"]')
    await campaign.getByText('Miners: 0').waitFor()
    await row.getByRole('combobox', { name: 'Campaign' }).selectOption('spring')
    await campaign.getByText('Miners: 1').waitFor()
    expect(plainSpaces(await campaign.locator('.amount').first().textContent())).toBe(total)
    await expectFine(page, 'campaign')

    await mine(1, { count: 1 })
    // As an agent itself it gets a full page of rewards after its own.
    await mine(4, { count: 11, agent: invited })
    await openADayLater(page)
    await expect.poll(() => cause(row)).toBe('It mines on without an agent.')
    await page.reload()
    await go(page, '/invite')
    await row.getByText(/^Last earned/).waitFor()
    await campaign.getByText('Miners: 1').waitFor()
    await go(page, '/more/language')
    await page.getByRole('radio', { name: 'العربية' }).click()
    await page.locator('html[dir="rtl"]').waitFor()
    await go(page, '/invite')
    await campaign.waitFor()
    await expectFine(page, 'campaign-arabic')
  })

  it('says that only the newest rewards count, and shows more miners on request', async () => {
    const { address } = account(4)
    const page = await app.open(url, { serviceWorkers: 'block' })
    await importAccount(page, app.keyOf(4))
    await mine(4, { count: 1 })
    await go(page, '/rewards')
    await page.locator('.rows .row').first().waitFor()
    const cut = page.getByText('Only the newest 5,000 rewards are counted.')
    await go(page, '/invite')
    await page.getByText('Nobody has earned with your code yet.').waitFor()
    expect(await partsOf(page)).toEqual(['Your code', 'Your condition', 'Invited miners', 'Campaigns'])
    await page.getByText('Only rewards that this device has read').waitFor({ state: 'detached' })
    expect(await cut.count()).toBe(0)

    const miners = Array.from({ length: 52 }, (_, number) => `02${String(number).padStart(64, '0')}`)
    const name = rewardStoreName({ brandId: 'jamr', tokenId: app.network.tokens.native.id }, address)
    // A page of this origin without the app, which would write over it.
    await page.goto(`${url}brand/brand.json`)
    await writeOlder(page, { name, rewards: 5_001, miners })
    await page.goto(url)
    await page.locator('nav.tabs').waitFor()
    await go(page, '/invite')
    await cut.waitFor()
    const shown = page.locator('[data-invited]:not([data-invited="total"])')
    expect(await shown.count()).toBe(50)
    await page.getByRole('button', { name: 'Show more' }).click()
    await expect.poll(() => shown.count()).toBe(52)
    expect(await page.getByRole('button', { name: 'Show more' }).count()).toBe(0)
    await expect.poll(() => shown.nth(50).evaluate((row) => row === document.activeElement)).toBe(true)
  })

  it('has names for its controls, asks before one is removed, and says when there are as many as fit', async () => {
    const { address: invited } = account(1)
    await mine(1, { count: 1, agent: account(0).address })
    const page = await app.open(url, { reducedMotion: 'reduce' })
    await importAccount(page, app.keyOf(0))
    await go(page, '/rewards')
    await page.locator('.rows .row').first().waitFor()
    await go(page, '/invite')
    const field = page.getByLabel('Name of the campaign')
    for (let number = 1; number <= 12; number++) {
      await field.fill(`fair-${number}`)
      await field.press('Enter')
      await page.locator(`[data-campaign="fair-${number}"]`).waitFor()
    }
    await field.fill('fair-13')
    await field.press('Enter')
    await page.getByRole('alert').getByText('You have 12 campaigns').waitFor()
    expect(await field.inputValue()).toBe('fair-13')

    const ends = `${invited.slice(0, 8)}…${invited.slice(-6)}`
    await page.getByRole('combobox', { name: `Campaign ${ends}` }).selectOption('fair-2')
    await page.locator('[data-campaign="fair-2"]').getByText('Miners: 1').waitFor()
    await page.getByRole('button', { name: 'Copy the link fair-2' }).waitFor()
    const remove = page.getByRole('button', { name: 'Remove fair-2' })
    await remove.focus()
    await page.keyboard.press('Enter')
    const sheet = page.getByRole('dialog', { name: 'Remove “fair-2”?' })
    await sheet.getByRole('button', { name: 'Cancel' }).click()
    await sheet.waitFor({ state: 'detached' })
    expect(await remove.evaluate((button) => button === document.activeElement)).toBe(true)
    await page.keyboard.press('Enter')
    await expectFine(page, 'campaign-remove')
    await sheet.getByRole('button', { name: 'Remove' }).click()
    await page.locator('[data-campaign="fair-2"]').waitFor({ state: 'detached' })
    await page.locator('[data-announced]').getByText('“fair-2” is removed.').waitFor()
    await page.locator('ul[aria-label="Campaigns"]:focus').waitFor()
    await field.press('Enter')
    await page.locator('[data-campaign="fair-13"]').waitFor()
  })

  it('stays on the device of who came by it, until the account is removed: no request names it', async () => {
    const code = encodeReferralCode(account(2).address)
    const context = await app.device()
    const asked: string[] = []
    context.on('request', (request) => asked.push(request.url(), request.postData() ?? ''))
    const page = await context.newPage()
    page.on('websocket', (socket) => socket.on('framesent', ({ payload }) => asked.push(String(payload))))
    const fragment = `#c=${encodeURIComponent('осень-7')}&utm_source=poster`
    await page.goto(`${url}i/${code}${fragment}`)
    await importAccount(page, app.keyOf(3), code)
    await page.getByRole('button', { name: 'Start mining' }).click()
    await page.locator('.ring-good').waitFor()
    const came = page.getByText('You came by the campaign “осень-7”.')
    await go(page, '/invite')
    await came.waitFor()
    expect(asked.length).toBeGreaterThan(10)
    // Chromium reports the address of a page with its fragment, which is not sent.
    const sent = asked.filter((text) => text !== `${url}i/${code}${fragment}`)
    const names = ['осень-7', encodeURIComponent('осень-7')]
    expect(sent.filter((text) => names.some((name) => text.includes(name)))).toEqual([])

    for (const later of [code, encodeReferralCode(account(0).address)]) {
      await go(page, `/i/${later}#c=winter`)
      await page.getByText('You followed an invitation').waitFor()
      await page.locator('.banners').getByRole('button', { name: 'Close' }).click()
      await go(page, '/invite')
      await came.waitFor()
    }

    const stored = () => page.evaluate(() => JSON.stringify(Object.entries(localStorage)))
    expect(await stored()).toContain('осень-7')
    expect(await stored()).not.toContain('winter')
    await page.getByLabel('Name of the campaign').fill('весна')
    await page.getByRole('button', { name: 'Make a link' }).click()
    await page.locator('[data-campaign="весна"]').waitFor()
    expect(await stored()).toContain('весна')
    await go(page, '/more/security')
    await page.getByRole('button', { name: 'Remove from this device' }).click()
    const sheet = page.getByRole('dialog')
    await sheet.getByLabel('Passphrase').fill(PASSPHRASE)
    await sheet.getByRole('button', { name: 'Remove from this device' }).click()
    await page.getByRole('button', { name: 'I have a wallet' }).waitFor()
    await expect.poll(stored).not.toMatch(/осень|весна/)
  })
})

it('who holds less than mining needs is offered the page of the publisher, with the address', async () => {
  const links = { claim: 'https://acme.example/claim?from=app' }
  const own = await app.serve({ brandFolder: brandFolder('jamr'), flags: { ...plain, links } })
  const privateKey = '41'.repeat(32)
  const page = await app.open(own)
  await importAccount(page, privateKey)
  const claim = page.getByRole('link', { name: 'Get your first coins' }).first()
  const tells = page.getByText('Opens acme.example and tells it your address.').first()
  await tells.waitFor()
  expect(await claim.getAttribute('aria-describedby')).toBe(await tells.getAttribute('id'))
  const { address } = walletFromPrivateKey(privateKey)
  expect(await claim.getAttribute('href')).toBe(`https://acme.example/claim?from=app&address=${address}`)
  await app.network.control.fund(address, 10_000_000_000_000n)
  await claim.waitFor({ state: 'detached' })
})
