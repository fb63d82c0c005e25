import { findChromium } from '@hailstone/test-browser'
import { describe, expect, it } from 'vitest'
import {
  begin,
  brandFolder,
  go,
  importAccount,
  plain,
  refuseCall,
  untilStatus,
  useApp,
} from './app-harness.ts'

const app = useApp({ chromium: findChromium() })

describe('More', () => {
  it('has an icon at the start of each row, and at its end the state of what it leads to', async () => {
    const flags = {
      ...plain,
      i18n: { default: 'en', enabled: ['en', 'de'] },
      features: { ...plain.features, multiAccount: true },
    }
    const page = await app.open(await app.serve({ brandFolder: brandFolder('jamr'), flags }))
    await page.context().grantPermissions(['notifications'])
    await importAccount(page, app.keyOf(0))
    const row = (path: string) => page.locator(`.link-row[href="/more/${path}"]`)
    const untilStates = (path: string, states: readonly string[]): Promise<void> =>
      expect.poll(() => row(path).locator('.link-state').allTextContents(), { message: path }).toEqual(states)
    await go(page, '/more')
    await untilStates('accounts', ['1'])
    await untilStates('security', ['Passphrase', 'Backed up'])
    await untilStates('notifications', ['Off'])
    await untilStates('language', ['English'])
    await untilStates('appearance', ['As Jamr chose (dark)'])
    await untilStates('network', ['devnet'])
    await untilStates('statistics', [])
    await page.getByRole('link', { name: 'Security and backup Passphrase Backed up', exact: true }).waitFor()
    // The arrow is the last one.
    const starts = await page
      .locator('.link-row')
      .evaluateAll((rows) => rows.map(({ firstElementChild }) => firstElementChild?.matches('svg.icon')))
    expect(starts.length).toBeGreaterThan(10)
    expect(starts.filter((isIcon) => isIcon !== true)).toEqual([])

    await go(page, '/more/notifications')
    await page.getByRole('switch').click()
    await go(page, '/more/appearance')
    await page.getByRole('radio', { name: 'Dark', exact: true }).click()
    await go(page, '/more')
    await untilStates('notifications', ['On'])
    await untilStates('appearance', ['Dark'])
    await go(page, '/more/appearance')
    await page.getByRole('radio', { name: 'Same as the device' }).click()
    const modeNow = () => page.evaluate(() => document.documentElement.dataset.mode)
    for (const colorScheme of ['light', 'dark', 'light'] as const) {
      await page.emulateMedia({ colorScheme })
      await expect.poll(modeNow).toBe(colorScheme)
    }
    await page.getByRole('radio', { name: 'As Jamr chose (dark)' }).click()
    expect(await modeNow()).toBeUndefined()
    await go(page, '/more')
    app.network.faults.set({ seed: 1, rules: [{ on: 'api', fault: { status: { code: 500 } } }] })
    await untilStates('network', ['Not reachable'])
    app.network.faults.clear()
    await untilStates('network', ['devnet'])
    await go(page, '/more/language')
    await page.getByRole('radio', { name: 'Deutsch' }).click()
    await page.locator('html[lang="de"]').waitFor()
    await go(page, '/more')
    await untilStates('language', ['Deutsch'])
    await untilStates('security', ['Passphrase', 'Gesichert'])
  })

  it('says that mining waits for the conditions of the person, as long as it does', async () => {
    const hour = new Date().getHours()
    const at = (later: number): string => `${String((hour + later) % 24).padStart(2, '0')}:00`
    const quietHours = [{ from: at(6), to: at(7) }]
    const mining = { ...plain.mining, quietHours, wifiOnly: true, minBattery: 30 }
    const flags = { ...plain, mining }
    const page = await app.open(await app.serve({ brandFolder: brandFolder('jamr'), flags }))
    await importAccount(page, app.keyOf(0))
    await begin(page)
    await go(page, '/more/policy')
    // What the brand has set stays.
    await page.getByText(`${at(6)} – ${at(7)}`).waitFor()
    for (const name of ['Quiet hours', 'Not on mobile data'])
      expect(await page.getByRole('switch', { name, checked: true }).isDisabled()).toBe(true)
    expect(await page.getByLabel('Pause below battery percent').getAttribute('min')).toBe('30')
    // Each of the times that are added is changed by itself.
    const more = page.getByRole('button', { name: 'More quiet hours' })
    await more.click()
    await page.getByLabel('From').fill(at(9))
    await page.getByLabel('To').fill(at(10))
    await more.click()
    await page.getByLabel('From').nth(1).fill(at(0))
    await page.getByLabel('To').nth(1).fill(at(3))
    await go(page, '/')
    await untilStatus(page, 'Paused')
    const state = page.locator('.link-row[href="/more/policy"] .link-state')
    await go(page, '/more')
    await state.getByText('Paused', { exact: true }).waitFor()
    await go(page, '/more/policy')
    expect(
      await page
        .getByLabel('From')
        .evaluateAll((fields) => fields.map((one) => (one as HTMLInputElement).value)),
    ).toEqual([at(9), at(0)])
    await page.getByRole('button', { name: `Remove: ${at(0)} – ${at(3)}` }).click()
    await page.getByText(`${at(6)} – ${at(7)}`).waitFor()
    expect(await page.getByLabel('From').inputValue()).toBe(at(9))
    await go(page, '/more')
    await page.locator('.link-row[href="/more/policy"]').waitFor()
    await expect.poll(() => state.count()).toBe(0)
  })

  it('says when reloading all data does not work, and does it the next time', async () => {
    const url = await app.serve({ brandFolder: brandFolder('jamr'), flags: plain })
    const page = await app.open(url)
    await importAccount(page, app.keyOf(2))
    await go(page, '/more/network')
    const allow = await refuseCall(page, 'resync')
    const reload = page.getByRole('button', { name: 'Reload all data' })
    await reload.click()
    await page.getByRole('alert').getByText('This did not work.').waitFor()
    await allow()
    await reload.click()
    await page.locator('[data-announced]').getByText('All data is being reloaded.').waitFor()
    expect(await page.getByText('This did not work.').count()).toBe(0)
  })

  it('41 E2, E8: adds hours to those of the brand, on the way through them, and takes the digits of each keyboard', async () => {
    const mining = { ...plain.mining, quietHours: [{ from: '22:00', to: '07:00' }], minBattery: 10 }
    const page = await app.open(
      await app.serve({ brandFolder: brandFolder('jamr'), flags: { ...plain, mining } }),
    )
    await importAccount(page, app.keyOf(1))
    await go(page, '/more/policy')
    await page.getByRole('button', { name: 'More quiet hours' }).click()
    const from = page.getByLabel('From')
    await from.fill('22:00')
    await from.fill('22:30')
    await page.getByRole('button', { name: 'Remove: 22:30 – 07:00' }).waitFor()
    const percent = page.getByLabel('Pause below battery percent')
    for (const [typed, kept] of [
      ['٣٠', '30'],
      ['۴۰', '40'],
      ['５０', '50'],
      ['२०', '20'],
      ['forty', '20'],
      ['٥', '10'],
    ] as const) {
      await percent.focus()
      await page.keyboard.press('Control+A')
      await page.keyboard.insertText(typed)
      await percent.blur()
      await expect.poll(() => percent.inputValue()).toBe(kept)
    }
  })

  it('keeps the screen on while it mines, on whichever screen, where the person wants that', async () => {
    const flags = { ...plain, mining: { ...plain.mining, keepAwake: false } }
    const page = await app.open(await app.serve({ brandFolder: brandFolder('jamr'), flags }))
    await page.addInitScript(() => {
      const { request } = WakeLock.prototype
      let held = 0
      const show = (change: number): void => {
        held += change
        document.documentElement.dataset.held = String(held)
      }
      WakeLock.prototype.request = async function (type) {
        const lock = await request.call(this, type).catch((error: unknown) => {
          document.documentElement.dataset.held = String(error)
          throw error
        })
        show(1)
        lock.addEventListener('release', () => show(-1))
        return lock
      }
    })
    await page.reload()
    await importAccount(page, app.keyOf(0))
    await begin(page)
    await untilStatus(page, 'Mining')
    await go(page, '/more/policy')
    const choice = page.getByRole('switch', { name: 'Keep the screen on while mining' })
    await choice.click()
    await expect.poll(() => page.locator('html').getAttribute('data-held'), { timeout: 20000 }).toBe('1')
    await go(page, '/wallet')
    await go(page, '/rewards')
    await page.locator('html[data-held="1"]').waitFor()
    await go(page, '/more/policy')
    await choice.click()
    await page.locator('html[data-held="0"]').waitFor()
  })
})
