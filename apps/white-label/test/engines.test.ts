import { engines, missingEngine, openEngine, type Walker } from '@hailstone/test-browser'
import { afterEach, beforeAll, describe, expect, it } from 'vitest'
import { brandFolder, PASSPHRASE, plain, useApp } from './app-harness.ts'

const app = useApp()
const languages = { i18n: { default: 'en', enabled: ['en', 'ar'] } } as const
let url: string
let walker: Walker | undefined

beforeAll(async () => {
  url = await app.serve({ brandFolder: brandFolder('jamr'), flags: { ...plain, ...languages } })
})

afterEach(async () => {
  await walker?.end()
  walker = undefined
})

async function importAccount({ press, fill, until }: Walker, privateKey: string): Promise<void> {
  await press('I accept the terms and the privacy policy.')
  await press('I have a wallet')
  await fill('12 or 24 words, or a private key', privateKey)
  await press('Import')
  await fill('Passphrase', PASSPHRASE)
  await fill('Passphrase again', PASSPHRASE)
  await press('Set passphrase')
  await until('Who invited you?')
  await press('Continue without an agent')
}

describe('the essential walk in three engines', () => {
  for (const [at, engine] of engines.entries()) {
    const why = missingEngine(engine)
    it.skipIf(why !== null)(
      `check 21: ${engine}${why === null ? '' : ` (left out: ${why})`}`,
      { timeout: 300_000 },
      async () => {
        walker = await openEngine(engine)
        const { open, press, fill, until, tab, closeFirst, evaluate } = walker
        const goTo = (path: string): Promise<unknown> =>
          evaluate(`(history.pushState(null, '', '${path}'), dispatchEvent(new PopStateEvent('popstate')))`)
        await open(url)
        await importAccount(walker, app.keyOf(at))
        await press('Start mining')
        await until('\nMining\n')
        // A page that was loaded again asks for the passphrase before it mines.
        await open(url)
        await press('Unlock')
        await fill('Passphrase', PASSPHRASE)
        await press('Unlock')
        await until('\nMining\n')
        // Left by a link, and back: the page that was left must not keep the lock of the leading tab.
        await open(new URL('/', app.network.apiUrl).href)
        await open(url)
        await until('Loading', false)
        await press('Unlock')
        await fill('Passphrase', PASSPHRASE)
        await press('Unlock')
        await until('\nMining\n')
        await tab(url)
        await until('Mining')
        await goTo('/unlock')
        await fill('Passphrase', PASSPHRASE)
        await press('Unlock')
        await closeFirst()
        await until('\nMining\n')
        await goTo('/wallet/send')
        const to = app.network.accounts.developers[4]?.address ?? ''
        await fill('To', to)
        await fill('Amount in DEV', '1.5')
        await press('Review')
        await until('1.5 DEV')
        await goTo('/more/language')
        await press('العربية')
        await until('اللغة')
        const direction = await evaluate('document.documentElement.dir')
        expect(direction).toBe('rtl')
      },
    )
  }
})
