import { readFile } from 'node:fs/promises'
import { createClient, walletFromPrivateKey } from '@hailstone/client'
import { createMiningNode, formatAmount } from '@hailstone/mining-node'
import type { Locator, Page } from 'playwright-core'
import { beforeAll, describe, expect, it } from 'vitest'
import { violations } from './accessibility.ts'
import {
  brandFolder,
  enterPassphrase,
  go,
  importAccount,
  PASSPHRASE,
  plain,
  textAt,
  useApp,
} from './app-harness.ts'

const app = useApp()
let url: string

beforeAll(async () => {
  url = await app.serve({ brandFolder: brandFolder('jamr'), flags: plain })
})

const account = (index: number) => {
  const found = app.network.accounts.developers[index]
  if (found === undefined) throw new Error(`There is no account ${index}.`)
  return found
}

/** Parses the units of a text such as `1,234.5 DEV`. */
function unitsOf(text: string | null, decimals: number): bigint {
  const [whole = '', fraction = ''] = (text ?? '').replace(/[^0-9.]/g, '').split('.')
  return BigInt(whole + fraction.padEnd(decimals, '0'))
}

/** Returns amounts with every digit: those that are shown cut have them where they are pointed at. */
const exactTexts = (amounts: Locator): Promise<readonly string[]> =>
  amounts.evaluateAll((found) => found.map((one) => one.getAttribute('title') || (one.textContent ?? '')))

async function fillPayment(page: Page, to: string, amount: string): Promise<void> {
  await go(page, '/wallet/send')
  await page.getByLabel('To', { exact: true }).fill(to)
  await page.getByLabel(/^Amount in/).fill(amount)
  await page.getByRole('button', { name: 'Review' }).click()
}

async function confirmPayment(page: Page): Promise<void> {
  await page.getByLabel('Passphrase').fill(PASSPHRASE)
  await page.getByRole('button', { name: 'Sign and send' }).click()
}

const reviewed = async (page: Page, decimals: number) => {
  await page.locator('[data-review="net"]').waitFor()
  const of = async (name: string) => unitsOf(await textAt(page, `[data-review="${name}"]`), decimals)
  return { gross: await of('gross'), fee: await of('fee'), net: await of('net') }
}

const focused = (page: Page): Promise<string | null | undefined> =>
  page.evaluate(() => document.activeElement?.textContent)

const untilStage = (page: Page, status: string): Promise<void> =>
  page.locator(`.stages[data-status="${status}"]`).waitFor()

describe('money', () => {
  it('check 17: shows gross, fee and net as the chain then does, to the last unit', async () => {
    const page = await app.open(url)
    await importAccount(page, account(0).privateKey)
    await page.locator('[data-status="ready"]').waitFor()
    const [from, to] = [account(0).address, account(4).address]
    const before = [app.network.balance(from), app.network.balance(to)] as const
    await go(page, '/wallet/send')
    for (const [amount, said] of [
      ['0.1', 'Nothing would arrive'],
      ['0.05', 'The fee is more than the amount'],
    ] as const) {
      await page.getByLabel(/^Amount in/).fill(amount)
      await page.locator('output', { hasText: said }).waitFor()
    }
    await page.getByLabel(/^Amount in/).fill('20.0000000001')
    const typed = await page.getByText(/^Fee .*, the recipient gets /).textContent()
    await fillPayment(page, to, '20.0000000001')
    const { gross, fee, net } = await reviewed(page, 10)
    expect(gross).toBe(200_000_000_001n)
    expect(gross - fee).toBe(net)
    expect(
      typed?.split(', ').map((part) => unitsOf(part, 10)),
      'as it was typed',
    ).toEqual([fee, net])
    await page.getByRole('button', { name: 'Sign and send' }).waitFor()
    await page.getByLabel('Passphrase').fill('not the passphrase')
    await page.getByRole('button', { name: 'Sign and send' }).click()
    await page.getByText('Wrong passphrase.').waitFor()
    await confirmPayment(page)
    await untilStage(page, 'confirmed')
    expect(app.network.balance(from)).toBe(before[0] - gross)
    expect(app.network.balance(to)).toBe(before[1] + net)
    await page.locator('.timeline').getByRole('link', { name: 'Wallet' }).click()
    await page.locator('[data-status="confirmed"]').first().waitFor()

    // Whom this browser paid before can be chosen, once each, and nobody else.
    await page.getByRole('link', { name: 'Send', exact: true }).click()
    const recent = page.getByRole('region', { name: 'Paid before from this browser' })
    await recent.getByRole('button').waitFor()
    expect(await violations(page)).toEqual([])
    await recent.getByRole('button').click()
    expect(await page.getByLabel('To', { exact: true }).inputValue()).toBe(to)
    await recent.waitFor({ state: 'detached' })
    expect(await page.evaluate(() => document.activeElement?.getAttribute('inputmode'))).toBe('decimal')
  })

  it('signs nothing while the API contradicts the decimals of the brand', async () => {
    const page = await app.open(url)
    await importAccount(page, account(2).privateKey)
    await page.locator('[data-status="ready"]').waitFor()
    const [from, to] = [account(2).address, account(4).address]
    const before = [app.network.balance(from), app.network.balance(to)] as const
    await page.context().route(/\/(?:token_info|balance|native_token)/, async (route) => {
      const response = await route.fetch()
      const body = (await response.text()).replace(/"decimals":\s*\d+/g, '"decimals":9')
      await route.fulfill({ response, body })
    })
    await fillPayment(page, to, '1')
    await page.getByRole('alert').getByText('other decimals for this token').waitFor()
    expect(await page.getByRole('button', { name: 'Sign and send' }).count()).toBe(0)
    await page.context().unrouteAll({ behavior: 'wait' })
    // Once the API tells the truth, the amount that was typed is the amount that is signed.
    await page.getByRole('button', { name: 'Review' }).click()
    expect((await reviewed(page, 10)).gross).toBe(10n ** 10n)
    expect([app.network.balance(from), app.network.balance(to)]).toEqual(before)
  })

  it('check 17: warns that mining will stop, before everything is sent', async () => {
    const page = await app.open(url)
    await importAccount(page, account(1).privateKey)
    await page.locator('[data-status="ready"]').waitFor()
    await go(page, '/wallet/send')
    await page.getByLabel('To', { exact: true }).fill(account(4).address)
    await page.getByRole('button', { name: 'All', exact: true }).click()
    await page.getByRole('button', { name: 'Review' }).click()
    await page.getByRole('alert').getByText('Mining will stop').waitFor()
    const { gross } = await reviewed(page, 10)
    expect(gross).toBe(app.network.balance(account(1).address))
    // The new heading has the focus, and going back keeps the form.
    expect(await focused(page)).toBe('Is this right?')
    await page.getByRole('button', { name: 'Cancel' }).click()
    await page.getByRole('button', { name: 'Review' }).waitFor()
    expect(await focused(page)).toBe('Send')
    expect(await page.getByLabel('To', { exact: true }).inputValue()).toBe(account(4).address)
    expect(unitsOf(await page.getByLabel(/^Amount in/).inputValue(), 10)).toBe(gross)
  })

  it('check 17: works out a fee that is a share of the amount as the chain does', async () => {
    const { fixed } = app.network.tokens
    const frost = await app.serve({
      brandFolder: brandFolder('jamr'),
      flags: {
        ...plain,
        token: { hash: fixed.id, ticker: 'FROST', decimals: 2, display: { fractionMax: 2 } },
      },
    })
    const owner = app.network.accounts.tokenOwner
    const page = await app.open(frost)
    await importAccount(page, owner.privateKey)
    await page.locator('[data-status="ready"]').waitFor()
    await go(page, '/wallet/send')
    await page.locator('output', { hasText: 'a share of the amount' }).waitFor()
    await page.getByLabel(/^Amount in/).fill('1234.56')
    const typed = await page.locator('output', { hasText: /^Fee/ }).textContent()
    await fillPayment(page, account(4).address, '1234.56')
    const { gross, fee, net } = await reviewed(page, 2)
    expect([gross, fee, net]).toEqual([123_456n, gross - net, net])
    expect(fee).toBeGreaterThan(20n)
    expect(
      typed?.split(', ').map((part) => unitsOf(part, 2)),
      'as it was typed',
    ).toEqual([fee, net])
    await confirmPayment(page)
    await untilStage(page, 'confirmed')
    expect(app.network.balance(account(4).address, fixed.id)).toBe(net)
  })

  it("check 17: says before anything is typed that a token's fee is taken in the network's coin", async () => {
    const { reissuable } = app.network.tokens
    const thaw = await app.serve({
      brandFolder: brandFolder('jamr'),
      flags: {
        ...plain,
        token: { hash: reissuable.id, ticker: 'THAW', decimals: 0, display: { fractionMax: 0 } },
      },
    })
    const page = await app.open(thaw)
    await importAccount(page, app.network.accounts.tokenOwner.privateKey)
    await page.locator('[data-status="ready"]').waitFor()
    await go(page, '/wallet/send')
    await page.locator('output', { hasText: /^Network fee: 0\.2 \w+$/ }).waitFor()
    await fillPayment(page, account(4).address, '7')
    expect(await reviewed(page, 0)).toEqual({ gross: 7n, fee: 0n, net: 7n })
    await page.locator('dd', { hasText: /^0\.2 / }).waitFor()
  })

  it('check 17: shows a rejected payment as rejected, with the balance as it was', async () => {
    const page = await app.open(url)
    const { privateKey, address } = account(2)
    await importAccount(page, privateKey)
    await page.locator('[data-status="ready"]').waitFor()
    const client = createClient({ apiUrl: app.network.apiUrl })
    const wallet = walletFromPrivateKey(privateKey)
    const spendElsewhere = async (amount: bigint): Promise<void> => {
      const { hash } = await client.sendTransaction({
        wallet,
        to: account(3).address,
        amount: amount as never,
      })
      await client.waitForTransaction({ hash })
    }
    // The same key spends the same coins elsewhere during the review, after which the balance is read again.
    await fillPayment(page, account(4).address, '18000')
    await page.locator('[data-review="net"]').waitFor()
    await spendElsewhere(150_000_000_000_000n)
    await confirmPayment(page)
    await page.getByRole('alert').getByText('The network would reject this payment').waitFor()
    // A node that is behind still has the coins.
    await fillPayment(page, account(4).address, '12000')
    await page.locator('[data-review="net"]').waitFor()
    app.network.faults.set({
      rules: [
        { on: 'api', match: { method: 'GET', path: '/balance' }, fault: { otherNode: { blocksBehind: 20 } } },
      ],
    })
    await spendElsewhere(100_000_000_000_000n)
    const left = app.network.balance(address)
    await confirmPayment(page)
    await untilStage(page, 'rejected')
    app.network.faults.clear()
    await page.getByText('Your balance is unchanged.').waitFor()
    expect(app.network.balance(address)).toBe(left)
    await client.close()
  })

  it('agrees with the chain on every screen, in amounts that no number holds', async () => {
    const miner = walletFromPrivateKey('5a'.repeat(32))
    const held = 12_345_678_901_234_567n
    const gross = 2n ** 53n + 1n
    expect(BigInt(Number(held))).not.toBe(held)
    expect(BigInt(Number(gross))).not.toBe(gross)
    await app.network.control.fund(miner.address, held)
    const page = await app.open(url)
    await importAccount(page, '5a'.repeat(32))
    /** Returns every amount on a screen, once it is loaded. */
    const shown = async (path: string, place: string): Promise<readonly bigint[]> => {
      await go(page, path)
      await page.locator(place, { hasText: /\d/ }).first().waitFor()
      return (await exactTexts(page.locator(place))).map((text) => unitsOf(text, 10))
    }
    const isShown = (units: readonly bigint[], path: string, place: string): Promise<void> =>
      expect.poll(() => shown(path, place), { message: path }).toEqual(expect.arrayContaining([...units]))
    const isOnAllScreens = async (units: bigint): Promise<void> => {
      await isShown([units], '/', '[data-status="ready"] .amount')
      await isShown([units], '/wallet', '[data-status="ready"] .amount')
      await isShown([units], '/invite', '.meter + .facts-inline .amount')
      await isShown([units], '/wallet/send', '.help:has-text("You have")')
    }
    await isOnAllScreens(held)
    await fillPayment(page, account(4).address, '900719.9254740993')
    const review = await reviewed(page, 10)
    expect(review).toEqual({ gross, fee: review.fee, net: gross - review.fee })
    await confirmPayment(page)
    await untilStage(page, 'confirmed')
    const timeline = await page.locator('.timeline .amount').allTextContents()
    expect(timeline.map((text) => unitsOf(text, 10))).toEqual([gross, review.fee])
    await isShown([gross, held], '/wallet', '.rows .row-amount .amount')
    expect(app.network.balance(miner.address)).toBe(held - gross)
    await isOnAllScreens(held - gross)
  })

  it('says that nothing was sent where the network goes away before the signature', async () => {
    const page = await app.open(url)
    await importAccount(page, app.keyOf(1))
    const to = app.network.accounts.developers[4]?.address ?? ''
    await fillPayment(page, to, '1.5')
    await page.locator('[data-review="net"]').waitFor()
    await page.context().setOffline(true)
    await confirmPayment(page)
    await page.getByText('The payment could not be prepared. Nothing was sent.').waitFor()
    await page.context().setOffline(false)
    expect(await page.getByLabel(/^Amount in/).inputValue()).toBe('1.5')
  })

  it('asks for the passphrase when another tab locks the app during a review, and keeps the form', async () => {
    const page = await app.open(url)
    await importAccount(page, app.keyOf(1))
    await fillPayment(page, app.network.accounts.developers[4]?.address ?? '', '1.5')
    await page.locator('[data-review="net"]').waitFor()
    const other = await page.context().newPage()
    await other.goto(`${url}more/security`)
    await other.getByRole('button', { name: 'Lock now' }).click()
    await enterPassphrase(page)
    await page.getByRole('button', { name: 'Review' }).click()
    await page.locator('[data-review="net"]').waitFor()
    expect(await page.getByRole('alert').filter({ hasText: 'Nothing was sent' }).count()).toBe(0)
    await confirmPayment(page)
    await untilStage(page, 'confirmed')
  })

  it('X6: a link fills the form and sends nothing', async () => {
    const page = await app.open(url)
    await importAccount(page, account(3).privateKey)
    await page.locator('[data-status="ready"]').waitFor()
    await page.goto(`${url}wallet/send?to=${account(4).address}&amount=5.5`)
    await enterPassphrase(page)
    await page.getByText('This was filled in by a link.').waitFor()
    expect(await page.getByLabel(/^Amount in/).inputValue()).toBe('5.5')
    expect(await page.locator('.stages').count()).toBe(0)
    await page.getByRole('button', { name: 'Review' }).waitFor()
  })

  it('opens a locked app where the payment is, and keeps the focus while a wrong passphrase is tried', async () => {
    const page = await app.open(url)
    await importAccount(page, account(3).privateKey)
    await page.locator('[data-status="ready"]').waitFor()
    await go(page, '/more/security')
    await page.getByRole('button', { name: 'Lock now' }).click()
    await page.getByRole('link', { name: 'Unlock' }).waitFor()
    await go(page, '/')
    await page.locator('.ring-button', { hasText: 'Unlock' }).waitFor()
    await go(page, `/wallet/send?to=${account(4).address}&amount=2`)
    const unlock = page.getByRole('button', { name: 'Unlock' })
    for (const wrong of ['not it', 'not it either']) {
      await page.getByLabel('Passphrase').fill(wrong)
      // The error of the previous payment must not be shown for this one.
      expect(await page.getByText('Wrong passphrase.').count()).toBe(0)
      await unlock.focus()
      await page.keyboard.press('Enter')
      await page.getByText('Wrong passphrase.').waitFor()
      await expect.poll(() => focused(page)).toBe('Unlock')
    }
    await page.getByLabel('Passphrase').fill(PASSPHRASE)
    await page.keyboard.press('Enter')
    await page.getByLabel('To', { exact: true }).waitFor()
    expect(await page.getByLabel(/^Amount in/).inputValue()).toBe('2')
  })

  it('shows a transaction as soon as the network answers again', async () => {
    const client = createClient({ apiUrl: app.network.apiUrl })
    const wallet = walletFromPrivateKey(account(0).privateKey)
    const { hash } = await client.sendTransaction({
      wallet,
      to: account(4).address,
      amount: 30_000_000_000n as never,
    })
    await client.waitForTransaction({ hash })
    await client.close()
    const page = await app.open(url)
    app.network.faults.set({ seed: 1, rules: [{ on: 'api', fault: { status: { code: 500 } } }] })
    await importAccount(page, '6b'.repeat(32))
    await page.getByRole('button', { name: 'Start mining' }).waitFor()
    await go(page, `/tx/${hash}`)
    await page.locator('main').getByText('The network does not answer').waitFor()
    await go(page, '/rewards')
    await page.getByText('The rewards could not be loaded.').waitFor()
    expect(await page.getByText('No rewards yet').count(), 'not known is not none').toBe(0)
    await go(page, `/tx/${hash}`)
    app.network.faults.clear()
    await page.getByText('Confirmed', { exact: true }).waitFor()
    expect(await page.locator('main').getByText('The network does not answer').count()).toBe(0)
  })

  it('check 19: shows rewards of this token alone, with totals, pages and a table that agree', async () => {
    const { privateKey, address } = account(3)
    const client = createClient({ apiUrl: app.network.apiUrl })
    const wallet = walletFromPrivateKey(privateKey)
    const { gatewayUrl, tokens } = app.network
    async function mine(tokenId: string, count: number, referralAgent?: string): Promise<void> {
      const node = createMiningNode({
        wallet,
        client,
        gatewayUrl,
        tokenId,
        referralAgent,
        blockTimeMs: 250,
      })
      let rewards = 0
      node.on('rewarded', () => {
        rewards++
      })
      await node.start()
      await expect.poll(() => rewards).toBeGreaterThanOrEqual(count)
      await node.stop()
    }
    await app.network.control.fund(address, 1_000n * 10n ** 10n, tokens.mineable.id)
    await mine(tokens.mineable.id, 3)
    await mine(tokens.native.id, 25)
    await mine(tokens.native.id, 1, account(4).address)
    const page = await app.open(url)
    await importAccount(page, privateKey)
    await go(page, '/rewards')
    await page.locator('.rows .row').first().waitFor()
    const all = await expected()
    const older = page.getByRole('button', { name: 'Show older rewards' })
    const rows = async (): Promise<number> => {
      if ((await older.count()) > 0) await older.click()
      return page.locator('.rows .row').count()
    }
    await expect.poll(rows).toBe(all.length)
    expect(all.length).toBeGreaterThan(20)
    const sum = all.reduce((units, { amount }) => units + amount, 0n)
    const amounts = await exactTexts(page.locator('.rows .row-amount .amount'))
    expect(amounts.reduce((units, text) => units + unitsOf(text, 10), 0n)).toBe(sum)
    const first = async (place: string): Promise<bigint> =>
      unitsOf((await exactTexts(page.locator(place)))[0] ?? '', 10)
    expect(await first('[data-period="day"] .amount')).toBe(sum)
    await go(page, '/')
    await expect.poll(() => first('.facts-inline .amount')).toBe(sum)
    await go(page, '/rewards')
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Save as CSV' }).click(),
    ])
    const lines = (await readFile(await download.path(), 'utf8')).trim().split('\r\n').slice(1)
    expect(lines.map((line) => line.split(',')[3])).toEqual(
      all.map(({ amount }) => formatAmount(amount, { decimals: 10 })),
    )
    const bonuses = all.filter(({ recordType }) => recordType === 'iref').length
    expect(bonuses).toBeGreaterThan(0)
    await page.getByLabel('Kind').selectOption('referral')
    await expect.poll(() => page.locator('.rows .row').count()).toBe(bonuses)
    await client.close()

    /** Reads the chain independently of the app. */
    async function expected() {
      const rows: { readonly amount: bigint; readonly recordType: string }[] = []
      for await (const line of client.rewardsOf({ address })) {
        const block = await client.getMicroblock({ hash: line.hash })
        if (block?.header.tokenId === tokens.native.id) rows.push(line)
      }
      return rows
    }
  })

  it('asks for a request link with the amount, which the other side reads', async () => {
    const page = await app.open(url, { permissions: ['clipboard-read', 'clipboard-write'] })
    await importAccount(page, account(3).privateKey)
    await page.locator('[data-status="ready"]').waitFor()
    await go(page, '/wallet/receive')
    await page.getByLabel(/^Amount in/).fill('0.00000000001')
    await page.getByText('This token has 10 decimals.').waitFor()
    await page.getByLabel(/^Amount in/).fill('12.5')
    await page.locator('.qr path').waitFor()
    await page.getByRole('button', { name: 'Copy request link' }).click()
    const link = await page.evaluate(() => navigator.clipboard.readText())
    expect(link).toBe(`${url}wallet/send?to=${account(3).address}&amount=12.5`)
  })

  it('names the place where the app was opened in an invitation', async () => {
    const preview = await app.preview({ brandFolder: brandFolder('jamr'), flags: plain })
    const page = await app.open(preview)
    await page.locator('[data-status="ready"]').waitFor()
    await go(page, '/invite')
    await page.locator('.qr path').waitFor()
    const code = await textAt(page, '[data-code]')
    await page.evaluate(() => {
      navigator.clipboard.writeText = async (text) => void Object.assign(window, { copied: text })
    })
    await page.getByRole('button', { name: 'Copy link' }).click()
    expect(await page.evaluate(() => (window as { copied?: string }).copied)).toBe(`${preview}i/${code}`)
  })

  it('draws the rows near the screen alone, and keeps the formatters, in a list of 230 rewards', async () => {
    const page = await (await app.device()).newPage()
    await page.addInitScript(() => {
      const { DateTimeFormat } = Intl
      Object.assign(window, { formatters: 0 })
      Intl.DateTimeFormat = new Proxy(DateTimeFormat, {
        construct: (format, given) => {
          ;(window as unknown as { formatters: number }).formatters++
          return new format(...(given as []))
        },
      })
    })
    await page.goto(await app.preview({ brandFolder: brandFolder('jamr'), flags: plain }))
    await go(page, '/rewards')
    await page.getByText(/^230 rewards/).waitFor()
    const drawn = (): Promise<number> => page.locator('.rows .row').count()
    // A group is taken away again once the browser has said that it is far from the screen.
    await expect.poll(drawn).toBeLessThanOrEqual(140)
    const formatters = await page.evaluate(() => (window as unknown as { formatters: number }).formatters)
    expect(formatters).toBeLessThan(20)
    await page.evaluate(() => scrollTo(0, document.body.scrollHeight))
    await expect.poll(() => page.locator('.rows').last().locator('.row').count()).toBe(100)
    expect(await drawn()).toBeLessThanOrEqual(200)
  })
})
