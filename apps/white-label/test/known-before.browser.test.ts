import { describe, expect, it } from 'vitest'
import { settled } from './accessibility.ts'
import { brandFolder, go, importAccount, plain, useApp } from './app-harness.ts'

const app = useApp()

describe('what is known, and what is not', () => {
  it('keeps the payments on the device: offline they stay, muted and with their time, below one notice', async () => {
    const page = await app.open(await app.serve({ brandFolder: brandFolder('jamr'), flags: plain }))
    await importAccount(page, app.keyOf(0))
    await go(page, '/wallet')
    const rows = page.locator('.rows .row')
    await rows.first().waitFor()
    const before = await rows.allTextContents()
    await page.context().setOffline(true)
    await page.getByText('This device is offline.').waitFor()
    await go(page, '/')
    await go(page, '/wallet')
    await page.locator('.rows-old .row').first().waitFor()
    expect(await rows.allTextContents()).toEqual(before)
    expect(await page.locator('main .card', { hasText: 'Activity' }).textContent()).toContain('As of')
    expect(await page.locator('.notice').count()).toBe(1)
    expect(await page.getByText('offline').count()).toBe(1)
    await page.context().setOffline(false)
    await page.locator('.rows:not(.rows-old) .row').first().waitFor()
  })

  it('shows no choice that was not stored, and waits for nothing that was refused', async () => {
    const flags = { ...plain, features: { ...plain.features, multiAccount: true } }
    const refuses = ['setPolicy', 'accounts']
    const page = await app.open(
      await app.preview({ brandFolder: brandFolder('jamr'), flags }, undefined, { refuses }),
    )
    await settled(page, '/more/policy')
    const hours = page.getByRole('switch', { name: 'Quiet hours' })
    expect(await hours.isChecked()).toBe(false)
    await hours.click()
    await expect.poll(() => hours.isChecked()).toBe(false)
    await settled(page, '/more/accounts')
    await page.getByRole('heading', { name: 'This part of the app did not open.' }).waitFor()
    await page.getByRole('button', { name: 'Try again' }).waitFor()
    expect(await page.locator('.loading').count()).toBe(0)
  })

  it('says of a reward that does not exist that it is not here, with a way to all', async () => {
    const flags = { ...plain, features: { ...plain.features, roi: false } }
    const page = await app.open(await app.preview({ brandFolder: brandFolder('jamr'), flags }))
    for (const index of ['estimate', 'abc', '-1', '1.5', '99999999', '9'.repeat(40)]) {
      await go(page, `/rewards/${index}`)
      await page.getByText('This reward is not here.').waitFor()
      expect(await page.getByText('Loading…').count(), index).toBe(0)
    }
    await page.getByRole('link', { name: 'All rewards' }).click()
    await page.getByRole('heading', { name: 'Your rewards' }).waitFor()
  })

  it('shows and copies every digit of an amount that is shown cut', async () => {
    const token = { ...plain.token, display: { fractionMax: 6 } }
    const values = { balance: '489354321098766' }
    const flags = { ...plain, token }
    const url = await app.preview({ brandFolder: brandFolder('jamr'), flags }, 'mining', values)
    const page = await app.open(url)
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
    await page.getByRole('button', { name: '48,935.432109… DEV' }).click()
    const sheet = page.getByRole('dialog', { name: 'Every digit' })
    await sheet.getByText('48,935.4321098766', { exact: true }).waitFor()
    await sheet.getByRole('button', { name: 'Copy the amount' }).click()
    await sheet.getByText('Copied').waitFor()
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe('48,935.4321098766')
    await page.keyboard.press('Escape')
    await go(page, '/wallet')
    // Once, and not a second time in another size below it.
    await page.locator('.hero-figure', { hasText: '48,935' }).waitFor()
    expect(await page.getByText(/48,935/).count()).toBe(1)
  })

  it('calls the page of health by what it found', async () => {
    const page = await app.open(await app.preview({ brandFolder: brandFolder('jamr'), flags: plain }))
    await go(page, '/health')
    await page.getByRole('heading', { level: 1, name: 'Everything is in order' }).waitFor()
    const away = { knowsNothing: true }
    const url = await app.preview({ brandFolder: brandFolder('jamr'), flags: plain }, 'mining', away)
    const other = await app.open(url)
    await go(other, '/health')
    await other.getByRole('heading', { level: 1, name: 'Why am I not earning?' }).waitFor()
  })
})
