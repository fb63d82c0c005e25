import { createClient, walletFromPrivateKey } from '@hailstone/client'
import { type Address, encodeReferralCode } from '@hailstone/protocol'
import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, it } from 'vitest'
import { rewardStoreName } from '../src/engine/engine-config.ts'
import { expectFine } from './accessibility.ts'
import {
  begin,
  brandFolder,
  enterPassphrase,
  go,
  importAccount,
  PASSPHRASE,
  plain,
  untilStatus,
  useApp,
} from './app-harness.ts'

const app = useApp()
let url: string

beforeAll(async () => {
  const features = { ...plain.features, multiAccount: true }
  url = await app.serve({ brandFolder: brandFolder('jamr'), flags: { ...plain, features } })
})

const addressOf = (index: number): Address => walletFromPrivateKey(app.keyOf(index)).address
const codeOf = (index: number): string => encodeReferralCode(addressOf(index))

/** The card of an account in the list. */
const cardOf = (page: Page, index: number) =>
  page.getByRole('region').filter({ has: page.locator(`[data-address="${addressOf(index)}"]`) })

const untilActive = (page: Page, index: number): Promise<void> =>
  cardOf(page, index).getByText('Active', { exact: true }).waitFor()

const openAccounts = (page: Page): Promise<void> => go(page, '/more/accounts')

async function enter(page: Page, passphrase = PASSPHRASE, button = 'Continue'): Promise<void> {
  await page.getByLabel('Passphrase', { exact: true }).fill(passphrase)
  await page.getByRole('button', { name: button, exact: true }).last().click()
}

async function beginAdding(page: Page): Promise<void> {
  await openAccounts(page)
  await page.getByRole('link', { name: 'Add an account' }).click()
}

/** Adds a funded account, without an agent. */
async function addAccount(page: Page, index: number): Promise<void> {
  await beginAdding(page)
  await page.getByRole('button', { name: 'I have a wallet' }).click()
  await page.getByLabel(/private key/).fill(app.keyOf(index))
  await page.getByRole('button', { name: 'Import', exact: true }).click()
  await enter(page, 'not the passphrase')
  await page.getByText('Wrong passphrase.').waitFor()
  await enter(page)
  await page.getByRole('button', { name: 'Continue without an agent' }).click()
  await untilActive(page, index)
}

async function activate(page: Page, index: number): Promise<void> {
  await openAccounts(page)
  await cardOf(page, index).getByRole('button', { name: 'Make active' }).click()
  await enter(page)
  await untilActive(page, index)
}

async function review(page: Page, amount: string): Promise<void> {
  await go(page, '/wallet/send')
  await page.getByLabel('To', { exact: true }).fill(addressOf(4))
  await page.getByLabel(/^Amount in/).fill(amount)
  await page.getByRole('button', { name: 'Review' }).click()
  await page.locator('[data-review="net"]').waitFor()
  await page.getByLabel('Passphrase').fill(PASSPHRASE)
}

const send = (page: Page): Promise<void> => page.getByRole('button', { name: 'Sign and send' }).click()

/** Waits until the gateway has one of the accounts of these tests, and this one. */
const untilAloneAtGateway = (index: number): Promise<void> => {
  const own = [0, 1, 2].map(addressOf)
  const online = () =>
    app.network.gateway
      .minersOnline()
      .map(({ address }) => address)
      .filter((address) => own.includes(address))
  return expect.poll(online).toEqual([addressOf(index)])
}

/** Microblocks that the work log names as included. */
async function logged(page: Page): Promise<readonly (string | null)[]> {
  await go(page, '/log')
  const hashes = page.locator('.log-included .hash-short')
  await hashes.first().waitFor()
  // At one moment: each new entry moves the older ones down, so that reading them one by one would miss the last.
  return hashes.evaluateAll((all) => all.map((one) => one.getAttribute('title')))
}

/** Returns the newest microblock that the log of an account that is not active names as included. */
const newestLeft = (page: Page, index: number): Promise<string> =>
  page.evaluate(
    (address) =>
      new Promise<string>((resolve, reject) => {
        const opening = indexedDB.open('hailstone-jamr')
        opening.onsuccess = () => {
          const parked = opening.result.transaction('values').objectStore('values').get('parked')
          parked.onsuccess = () => {
            opening.result.close()
            const { log } = parked.result.find((one: { address: string }) => one.address === address).values
            resolve(log.find(({ kind }: { kind: string }) => kind === 'included').microblockHash)
          }
          parked.onerror = () => reject(parked.error)
        }
        opening.onerror = () => reject(opening.error)
      }),
    addressOf(index),
  )

async function agentOf(page: Page): Promise<string> {
  await go(page, '/invite/agent')
  return page.getByLabel("Agent's code").inputValue()
}

/** Waits for a stored reward of an account, and returns the hashes of its stored rewards. */
async function storedRewards(page: Page, index: number): Promise<readonly string[]> {
  const name = rewardStoreName({ brandId: 'jamr', tokenId: app.network.tokens.native.id }, addressOf(index))
  const read = () =>
    page.evaluate(async (database) => {
      const known = await indexedDB.databases()
      if (known.every((one) => one.name !== database)) return []
      return new Promise<readonly string[]>((resolve) => {
        const opening = indexedDB.open(database)
        opening.onsuccess = () => {
          const rows = opening.result.transaction('rows').objectStore('rows').getAll()
          rows.onsuccess = () => {
            opening.result.close()
            resolve(rows.result.map((row) => JSON.stringify(row.index) + row.timeMs))
          }
        }
      })
    }, name)
  await expect.poll(read).not.toEqual([])
  return read()
}

describe('several accounts', () => {
  it('check 36: one of two accounts is active and mines; rewards, log, agent and policy stay apart', async () => {
    const context = await app.device()
    const page = await context.newPage()
    await page.goto(url)
    await importAccount(page, app.keyOf(0), codeOf(3))
    await begin(page)
    await untilStatus(page, 'Mining')
    const firstLog = await logged(page)
    const firstRewards = await storedRewards(page, 0)
    const other = await context.newPage()
    await other.goto(`${url}more/accounts`)
    await untilActive(other, 0)

    await addAccount(page, 1)
    await untilActive(other, 1)
    await cardOf(page, 1).getByRole('button', { name: 'Rename' }).click()
    await page.getByRole('textbox', { name: 'Name' }).fill('Savings')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('heading', { name: 'Savings' }).waitFor()
    await go(page, '/rewards')
    await page.getByText('No rewards yet.').waitFor()
    await page.locator('[data-period="all"]', { hasText: /^0 DEV$/ }).waitFor()
    expect(await agentOf(page)).toBe('')
    await go(page, '/more/policy')
    await page.getByRole('switch').first().click()
    await go(page, '/')
    await begin(page)
    await untilStatus(page, 'Mining')
    await untilAloneAtGateway(1)
    const secondLog = await logged(page)
    expect(secondLog.filter((hash) => firstLog.includes(hash))).toEqual([])
    const answer = await fetch(`${app.network.apiUrl}/mblock?hash=${secondLog[0]}`).then((one) => one.text())
    expect(answer).not.toContain(addressOf(3))
    const secondRewards = await storedRewards(page, 1)

    const left = await newestLeft(page, 0)
    // The first account was mining when it was left, and mines on.
    await activate(page, 0)
    // At once: with these blocks the 200 entries of a log are those of 20 seconds.
    await expect.poll(() => logged(page)).toContain(left)
    await untilAloneAtGateway(0)
    await untilActive(other, 0)
    await go(page, '/')
    await untilStatus(page, 'Mining')
    await go(other, '/')
    await untilStatus(other, 'Mining')
    expect(await agentOf(page)).toBe(codeOf(3))
    await go(page, '/more/policy')
    expect(await page.getByRole('switch').first().getAttribute('aria-checked')).toBe('false')
    const client = createClient({ apiUrl: app.network.apiUrl })
    for (const [index, hashes] of [firstRewards, secondRewards].entries()) {
      const { records } = await client.getRewards({ address: addressOf(index) })
      const other = index === 0 ? secondRewards : firstRewards
      expect(records.length).toBeGreaterThan(0)
      expect(hashes.filter((hash) => other.includes(hash))).toEqual([])
    }
  })

  it('check 36: a payment goes on under its own account, and the removal says what is lost', async () => {
    // Colours on their way to others have no contrast that could be judged.
    const page = await app.open(url, { reducedMotion: 'reduce', viewport: { width: 320, height: 640 } })
    await importAccount(page, app.keyOf(0))
    await page.locator('[data-status="ready"]').waitFor()
    await addAccount(page, 1)
    await review(page, '3')
    app.network.faults.set({
      seed: 1,
      rules: [{ on: 'api', match: { method: 'POST' }, fault: { status: { code: 500 } } }],
    })
    await send(page)
    await page.locator('.stages').waitFor()
    await activate(page, 0)
    await go(page, '/wallet')
    await page.getByRole('heading', { name: 'Wallet' }).waitFor()
    // The list of accounts knows the active one before the state of the engine has reached the views.
    await expect.poll(() => page.getByText('On its way').count()).toBe(0)
    await openAccounts(page)
    const remove = cardOf(page, 1).getByRole('button', { name: 'Remove from this device' })
    await remove.click()
    await page.getByText('The end of a payment of this account is not known yet.').waitFor()
    await expectFine(page, 'removal')
    await page.getByRole('button', { name: 'Close' }).click()
    await expectFine(page, 'accounts')
    app.network.faults.clear()
    const [before, received] = [0, 4].map((index) => app.network.balance(addressOf(index))) as [
      bigint,
      bigint,
    ]
    await activate(page, 1)
    await expect.poll(() => app.network.balance(addressOf(4))).toBeGreaterThan(received)
    await go(page, '/wallet')
    await page.locator('[data-status="confirmed"]').first().waitFor()
    expect(app.network.balance(addressOf(0))).toBe(before)

    await beginAdding(page)
    await page.getByRole('button', { name: 'Create a wallet' }).click()
    await enter(page)
    await page.getByRole('button', { name: 'Later' }).click()
    await page.getByRole('button', { name: 'Continue without an agent' }).click()
    const made = page.getByRole('region').filter({ hasText: 'Not backed up' })
    await made.getByText('Active', { exact: true }).waitFor()
    await made.getByRole('button', { name: 'Remove from this device' }).click()
    await page.getByText('This account is not backed up.').waitFor()
    await enter(page, PASSPHRASE, 'Remove from this device')
    await untilActive(page, 1)
    expect(await made.count()).toBe(0)
    await remove.click()
    await enter(page, 'not the passphrase', 'Remove from this device')
    await page.getByText('Wrong passphrase.').waitFor()
    await enter(page, PASSPHRASE, 'Remove from this device')
    await untilActive(page, 0)
    expect(await page.getByRole('button', { name: 'Remove from this device' }).count()).toBe(0)
    await page.reload()
    await go(page, '/unlock')
    await enterPassphrase(page)
    await page.locator('.ring-button').waitFor()
  })

  it('a payment that was reviewed before another tab changed the account is not paid by the other account', async () => {
    const context = await app.device()
    const page = await context.newPage()
    await page.goto(url)
    await importAccount(page, app.keyOf(0))
    await page.locator('[data-status="ready"]').waitFor()
    await addAccount(page, 1)
    const other = await context.newPage()
    await other.goto(`${url}more/accounts`)
    await untilActive(other, 1)
    await review(page, '7')
    const received = app.network.balance(addressOf(4))
    const notReviewed = app.network.balance(addressOf(0))
    await cardOf(other, 0).getByRole('button', { name: 'Make active' }).click()
    await other.getByLabel('Passphrase', { exact: true }).fill(PASSPHRASE)
    const pressed = page.getByRole('button', { name: 'Sign and send' })
    await other.getByRole('button', { name: 'Continue', exact: true }).last().click()
    // At once, and as long as the tab still offers it.
    const endMs = Date.now() + 10_000
    while (Date.now() < endMs && (await pressed.count()) > 0)
      await pressed.click({ timeout: 500 }).catch(() => {})
    await untilActive(other, 0)
    expect(await pressed.count()).toBe(0)
    const height = app.network.height()
    await expect.poll(() => app.network.height()).toBeGreaterThan(height + 4)
    expect(app.network.balance(addressOf(0))).toBe(notReviewed)
    // Nothing, or what the reviewed account paid before the change.
    expect([0n, 70_000_000_000n]).toContain(app.network.balance(addressOf(4)) - received)
  })
})
