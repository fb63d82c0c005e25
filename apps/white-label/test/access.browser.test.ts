import { describe, expect, it } from 'vitest'
import { enter, expectFine, settled, violations } from './accessibility.ts'
import { brandFolder, everyView, PASSPHRASE, plain, useApp } from './app-harness.ts'
import { expectFineOnEveryRoute, narrowIn, walkedBrands } from './route-walk.ts'

const app = useApp()
/** The others are walked by night. */
const brands = walkedBrands.slice(0, 2)

describe('for everybody', () => {
  for (const brand of brands) {
    const { name, language } = brand
    it(`check 20: ${name} breaks no rule on any route in both modes, and nothing is clipped at 320 pixels`, async () => {
      const url = await app.preview({ brandFolder: brandFolder(name), flags: everyView })
      await expectFineOnEveryRoute(await app.open(url, narrowIn(language)), brand)
    })
  }

  for (const { name, language, hasAgentStep } of brands) {
    const narrow = narrowIn(language)

    it(`check 20: ${name} breaks no rule in the first run, with a payment and behind its lock`, async () => {
      const url = await app.serve({ brandFolder: brandFolder(name), flags: everyView })
      const fresh = await app.open(url, narrow)
      await fresh.locator('.setup .actions').waitFor()
      await expectFine(fresh, `${name} welcome`)
      await fresh.locator('input[type="checkbox"]').check()
      await fresh.locator('.actions .button').first().click()
      await fresh.locator('input[type="password"]').nth(1).waitFor()
      for (const field of await fresh.locator('input[type="password"]').all()) await field.fill(PASSPHRASE)
      await fresh.locator('form .button-primary').click()
      await fresh.locator('.words-cover').click()
      await fresh.locator('.words li').first().waitFor()
      await expectFine(fresh, `${name} words`)
      await fresh.locator('.actions .button-primary').click()
      await fresh.locator('form input').first().waitFor()
      await expectFine(fresh, `${name} quiz`)
      const page = await app.open(url, narrow)
      await enter(page, app.keyOf(1), hasAgentStep, (step) => expectFine(page, `${name} ${step}`))
      await page.locator('[data-status="ready"]').waitFor()
      await settled(page, '/wallet/send')
      await page.locator('textarea').fill(app.network.accounts.developers[3]?.address ?? '')
      await page.locator('input[inputmode="decimal"]').fill('3')
      await page.locator('form .button-primary').click()
      await page.locator('[data-review="net"]').waitFor()
      await expectFine(page, `${name} review`)
      await page.locator('input[type="password"]').fill(PASSPHRASE)
      await page.locator('form .button-primary').click()
      await page.locator('.stages[data-status="confirmed"]').waitFor()
      await expectFine(page, `${name} timeline`)
      await settled(page, '/wallet')
      await page.locator('.rows a').first().click()
      await page.locator('.stages, .facts').first().waitFor()
      await expectFine(page, `${name} transaction`)
      await settled(page, '/more/security')
      await page.locator('.button-quiet').nth(1).click()
      await page.getByRole('dialog').waitFor()
      await expectFine(page, `${name} dialog`)
      await page.reload()
      await page
        .locator(hasAgentStep ? '.ring-button, main h1' : 'input[type="password"]')
        .first()
        .waitFor()
      await expectFine(page, `${name} again`)
    })
  }

  it('check 20: everything can be done by keyboard alone, and has a name', async () => {
    const flags = { ...plain, i18n: { default: 'en', enabled: ['en', 'de'] } }
    const url = await app.serve({ brandFolder: brandFolder('jamr'), flags })
    const page = await app.open(url)
    const { keyboard } = page
    /** Presses Tab until the named element has the focus. */
    async function reach(name: string | RegExp): Promise<void> {
      for (let step = 0; step < 60; step++) {
        const found = await page.evaluate(() => {
          const element = document.activeElement as HTMLElement | null
          const label = (element as HTMLInputElement | null)?.labels?.[0]?.textContent
          return (element?.getAttribute('aria-label') ?? label ?? element?.textContent ?? '').trim()
        })
        if (typeof name === 'string' ? found === name : name.test(found)) return
        await keyboard.press('Tab')
      }
      throw new Error(`${name} cannot be reached by keyboard.`)
    }
    await page.locator('.setup .actions').waitFor()
    await reach(/I accept/)
    await keyboard.press('Space')
    await reach('I have a wallet')
    await keyboard.press('Enter')
    await page.locator('textarea').waitFor()
    await reach(/12 or 24 words/)
    await keyboard.type(app.network.accounts.developers[2]?.privateKey ?? '')
    await reach('Import')
    await keyboard.press('Enter')
    await page.getByLabel('Passphrase again').waitFor()
    await reach('Passphrase')
    await keyboard.type('seven drops of rain')
    await reach('Passphrase again')
    await keyboard.type('seven drops of rain')
    await keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Who invited you?' }).waitFor()
    await reach('Continue without an agent')
    await keyboard.press('Enter')
    await page.locator('.ring-button').waitFor()
    await reach('Start mining')
    await keyboard.press('Enter')
    await page.locator('.ring-good').waitFor()
    await expect.poll(() => page.locator('[data-announced]').textContent()).toMatch(/Mining/)
    for (const tab of ['Rewards', 'Wallet', 'Invite', 'More']) {
      await reach(tab)
      await keyboard.press('Enter')
      await page.locator('.tab[aria-current="page"]', { hasText: tab }).waitFor()
      // The view takes the focus when it has been loaded, also from a link that was reached before.
      await page.locator('main h1:focus').waitFor()
    }
    await reach(/^Security and backup/)
    await keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Security and backup' }).waitFor()
    await reach('Show private key')
    await keyboard.press('Enter')
    await page.getByRole('dialog').waitFor()
    expect(await violations(page)).toEqual([])
    await keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    // The focus returns a task after the dialog has closed.
    await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toBe('Show private key')
    for (const place of ['Back', /^Language/]) {
      await reach(place)
      await keyboard.press('Enter')
    }
    await page.getByRole('heading', { name: 'Language' }).waitFor()
    await reach('English')
    // Held as long as a finger holds it: the choice moves a task after the key went down.
    await keyboard.press('ArrowDown', { delay: 100 })
    await page.locator('html:not([lang="en"])').waitFor()
    // The focus stays in the list, so the next language is one more key press.
    expect(await page.evaluate(() => document.activeElement?.getAttribute('role'))).toBe('radio')
  })
})
