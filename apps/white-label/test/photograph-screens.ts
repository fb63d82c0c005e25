import type { Page } from 'playwright-core'
import { enter, routes, settled } from './accessibility.ts'
import { type AppHarness, PASSPHRASE } from './app-harness.ts'

/** One screen in light and in dark, as PNG. */
export type Pair = readonly [light: Buffer, dark: Buffer]

/** Routes that only some brands have: accounts, and screens from their own Markdown. */
const ownRoutes = ['/more/accounts', '/more/screens/questions', '/more/screens/1-programa'] as const

/** Returns the name of a route in file names and on sheets: `/wallet/send` is `wallet-send`, `/` is `mine`. */
const nameOfRoute = (route: string): string => (route === '/' ? 'mine' : route.slice(1).replaceAll('/', '-'))

/** Takes a picture of what a page shows in both modes. */
async function inBothModes(page: Page): Promise<Pair> {
  // A button under the mouse has a frame that no phone shows.
  await page.mouse.move(0, 0)
  const take = async (colorScheme: 'light' | 'dark'): Promise<Buffer> => {
    await page.emulateMedia({ colorScheme })
    // The picture of the logo for this mode has to be there, too: the app changes it within some frames.
    await page.evaluate(async () => {
      for (let count = 0; count < 5; count++) await new Promise((resolve) => requestAnimationFrame(resolve))
      await Promise.all([...document.images].map((image) => image.decode().catch(() => undefined)))
    })
    return page.screenshot()
  }
  return [await take('light'), await take('dark')]
}

type Take = (name: string, page: Page) => Promise<void>

/** The first run of somebody without a wallet, up to the quiz. */
async function photographFirstRun(page: Page, take: Take): Promise<void> {
  await page.locator('.setup .actions').waitFor()
  await take('welcome', page)
  await page.locator('input[type="checkbox"]').check()
  await page.locator('.actions .button').first().click()
  const passwords = page.locator('input[type="password"]')
  const age = page.locator('.setup:not(:has(.welcome, form))')
  await passwords.first().or(age).first().waitFor()
  if ((await age.count()) > 0) {
    await take('age', page)
    await page.locator('.actions .button-primary').click()
  }
  await passwords.nth(1).waitFor()
  for (const field of await passwords.all()) await field.fill(PASSPHRASE)
  await page.locator('form .button-primary').click()
  await page.locator('.words-cover').click()
  await page.locator('.words li').first().waitFor()
  await take('words', page)
  await page.locator('.actions .button-primary').click()
  await page.locator('form input').first().waitFor()
  await take('quiz', page)
}

/** From the first press of the ring to some rewards. */
async function photographMining(page: Page, take: Take): Promise<void> {
  await page.locator('[data-status="ready"]').waitFor()
  await page.locator('.skeleton').first().waitFor({ state: 'detached' })
  await take('ready', page)
  await page.locator('.ring-button').click()
  await page.locator('.moment').waitFor()
  await take('first-reward', page)
  await page.locator('.moment .icon-button').click()
  await settled(page, '/rewards')
  const row = page.locator('.rows a[href*="/rewards/"]')
  await row.nth(3).waitFor()
  await row.first().click()
  await page.locator('.facts').first().waitFor()
  await take('reward', page)
}

async function photographPayment(page: Page, recipient: string, take: Take): Promise<void> {
  await settled(page, '/wallet/send')
  await page.locator('textarea').fill(recipient)
  await page.locator('input[inputmode="decimal"]').fill('3')
  await page.locator('form .button-primary').click()
  await page.locator('[data-review="net"]').waitFor()
  await take('review', page)
  await page.locator('input[type="password"]').fill(PASSPHRASE)
  await page.locator('form .button-primary').click()
  await page.locator('.stages[data-status="confirmed"]').waitFor()
  await take('timeline', page)
  await settled(page, '/wallet')
  await page.locator('.rows a').first().click()
  await page.locator('.stages, .facts').first().waitFor()
  await take('transaction', page)
}

/** The brand, and the account that its pictures are taken with: funded, and without a reward yet. */
type PhotographParameters = {
  readonly url: string
  readonly language: string
  readonly privateKey: string
  readonly hasAgentStep: boolean
  /** True if the brand asks for the passphrase each time the app is opened. */
  readonly isLocked: boolean
  /** Address that is paid. */
  readonly recipient: string
}

/** Takes pictures of every screen of a brand's app; screens that the brand lacks are left out. */
export async function photographScreens(
  app: AppHarness,
  { url, language, privateKey, hasAgentStep, isLocked, recipient }: PhotographParameters,
): Promise<ReadonlyMap<string, Pair>> {
  const pairs = new Map<string, Pair>()
  const options = { locale: language, reducedMotion: 'reduce' } as const
  const take: Take = async (name, page) => {
    pairs.set(name, await inBothModes(page))
  }
  await photographFirstRun(await app.open(url, options), take)
  const page = await app.open(url, options)
  await enter(page, privateKey, hasAgentStep, async (step) => {
    if (step !== 'age') await take(step === 'lock' ? 'passphrase' : step, page)
  })
  await photographMining(page, take)
  for (const route of [...routes, ...ownRoutes]) {
    await settled(page, route)
    // Where a brand lacks a view, its path leads elsewhere.
    if (new URL(page.url()).pathname === route) await take(nameOfRoute(route), page)
  }
  await photographPayment(page, recipient, take)
  await settled(page, '/more/security')
  await page.locator('.button-quiet').nth(1).click()
  await page.getByRole('dialog').waitFor()
  await take('private-key', page)
  if (isLocked) {
    await page.reload()
    await page.locator('input[type="password"]').waitFor()
    await take('locked', page)
  }
  return pairs
}
