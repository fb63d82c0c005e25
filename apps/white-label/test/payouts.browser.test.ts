import { createClient, createWallet, type Wallet } from '@hailstone/client'
import type { Page } from 'playwright-core'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import {
  brandFolder,
  enterPassphrase,
  go,
  importAccount,
  PASSPHRASE,
  plain,
  setEnginesForward,
  useApp,
} from './app-harness.ts'

const COIN = 10n ** 10n
const DAY_MS = 86_400_000

const app = useApp()
const client = () => createClient({ apiUrl: app.network.apiUrl })
let url: string
let own: Wallet
let to: string

beforeAll(async () => {
  url = await app.serve({ brandFolder: brandFolder('jamr'), flags: plain })
})
beforeEach(async () => {
  own = createWallet()
  to = createWallet().address
  await app.network.control.fund(own.address, 1_150n * COIN)
})

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })

/** Gross amounts of what the account has paid, newest first. */
async function paid(): Promise<readonly bigint[]> {
  const amounts: bigint[] = []
  await using asking = client()
  for await (const { recordType, status, amount } of asking.transactionsOf({ address: own.address }))
    if (recordType === 'iout' && status === 'confirmed') amounts.push(amount)
  return amounts
}

async function openAccount(at = url): Promise<Page> {
  const page = await app.open(at)
  await importAccount(page, own.exportPrivateKey())
  await page.locator('[data-status="ready"]').waitFor()
  return page
}

async function fill(page: Page, above: string, least: string): Promise<void> {
  await page.getByLabel('To', { exact: true }).fill(to)
  await page.getByLabel(/^Stays in this account/).fill(above)
  await page.getByLabel(/^Smallest payout/).fill(least)
  await button(page, 'Review').click()
}

const state = (page: Page, name: string): Promise<void> => page.locator(`[data-payout="${name}"]`).waitFor()

async function agree(page: Page): Promise<void> {
  await page.getByLabel('Passphrase', { exact: true }).fill(PASSPHRASE)
  await button(page, 'Switch on payouts').click()
}

describe('payouts', () => {
  it('are off until a person agrees; then each period is paid once, and the screen says what happens', async () => {
    const page = await openAccount()
    await go(page, '/wallet')
    await page.getByRole('link', { name: 'Automatic payouts' }).click()
    await page.getByText('The app pays only while it is open and the account is unlocked.').waitFor()
    await fill(page, '', '0')
    await page.getByText('Enter an amount.').waitFor()
    await page.getByText('The amount is zero.').waitFor()
    await fill(page, '1000', '50')
    const review = page.getByRole('region', { name: 'Automatic payouts' })
    expect((await review.innerText()).replaceAll(/\s/g, '')).toContain(to)
    await review.getByText(/^Of a payout of 50 DEV: Fee 0\.1 DEV, the recipient gets 49\.9 DEV/).waitFor()
    await review.getByText('Set this up on one device only.').waitFor()
    await page.getByLabel('Passphrase', { exact: true }).fill('not the passphrase')
    await button(page, 'Switch on payouts').click()
    await page.getByText('Wrong passphrase.').waitFor()
    app.network.faults.set({
      seed: 1,
      rules: [{ on: 'api', match: { path: '/height' }, fault: { status: { code: 500 } } }],
    })
    await agree(page)
    await review.getByText('The network does not answer at the moment.').waitFor()
    expect(await page.getByText('Unlocking failed.').count()).toBe(0)
    app.network.faults.clear()
    await agree(page)
    await state(page, 'paidThisPeriod')
    await page.getByText('The payout of this period is made.').waitFor()
    expect(await paid()).toEqual([150n * COIN])

    // More comes in: nothing in this period, and all of it in the next one.
    await app.network.control.fund(own.address, 120n * COIN)
    await setEnginesForward(page, DAY_MS)
    await expect.poll(paid, { timeout: 60_000 }).toEqual([100n * COIN, 150n * COIN])

    await button(page, 'Switch off').click()
    await page.getByLabel(/^Stays in this account/).waitFor()
  })

  it('wait while the account is locked, and are made after it is unlocked', async () => {
    const page = await openAccount()
    await go(page, '/wallet/payouts')
    // Above what the account has.
    await fill(page, '1200', '50')
    await agree(page)
    await state(page, 'tooLittle')
    await page.reload()
    await go(page, '/wallet/payouts')
    await state(page, 'locked')
    await page.getByText('Nothing is paid out while the account is locked.').waitFor()
    await app.network.control.fund(own.address, 200n * COIN)
    await button(page, 'Change').click()
    await enterPassphrase(page)
    await state(page, 'paidThisPeriod')
    expect(await paid()).toEqual([150n * COIN])
  })

  it('are not made by a rule to which nobody with the passphrase agreed', async () => {
    const page = await openAccount()
    // Any page of the origin can write what the app has stored.
    await page.evaluate(
      async ({ rule }) => {
        const opened = indexedDB.open('hailstone-jamr')
        const database = await new Promise<IDBDatabase>((resolve) => {
          opened.onsuccess = () => resolve(opened.result)
        })
        const transaction = database.transaction('values', 'readwrite')
        transaction
          .objectStore('values')
          .put(
            { ...rule, above: BigInt(rule.above), least: BigInt(rule.least), proof: '0'.repeat(64) },
            'payout',
          )
        await new Promise((resolve) => {
          transaction.oncomplete = resolve
        })
        database.close()
      },
      {
        rule: {
          ...{ to, tokenId: app.network.tokens.native.id, decimals: 10, everyMs: DAY_MS, height: 0 },
          ...{ above: '0', least: '1' },
        },
      },
    )
    await page.reload()
    await go(page, '/unlock')
    await enterPassphrase(page)
    // Leaving the form while the passphrase is being checked cancels the unlock.
    await page.locator('.ring-button').waitFor()
    await go(page, '/wallet/payouts')
    await state(page, 'notAgreed')
    await page.getByText('these payouts have to be agreed to again').waitFor()
    // Nobody agrees to the address of a stranger because the form had it.
    await button(page, 'Change').click()
    expect(await page.getByLabel('To', { exact: true }).inputValue()).toBe('')
    expect(await paid()).toEqual([])
  })

  it('are no part of a brand that switches them off', async () => {
    const flags = { ...plain, features: { ...plain.features, payout: false } }
    const page = await openAccount(await app.serve({ brandFolder: brandFolder('jamr'), flags }))
    await go(page, '/wallet')
    await page.getByRole('heading', { name: 'Wallet' }).waitFor()
    expect(await page.getByRole('link', { name: 'Automatic payouts' }).count()).toBe(0)
    await go(page, '/wallet/payouts')
    await button(page, 'Start mining').waitFor()
    expect(new URL(page.url()).hash).not.toContain('payouts')
  })
})
