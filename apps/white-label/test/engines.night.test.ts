import { createClient, walletFromPrivateKey } from '@hailstone/client'
import { engines, missingEngine, openEngine, type Walker } from '@hailstone/test-browser'
import { afterEach, beforeAll, describe, expect, it } from 'vitest'
import { brandFolder, PASSPHRASE, plain, useApp } from './app-harness.ts'
import { goTo, importAccount } from './walk-steps.ts'

const app = useApp({ network: { blockTimeMs: 1_000 }, asShipped: true })
const STAKE = 10_000_000_000_000n
const languages = { i18n: { default: 'en', enabled: ['en', 'ar'] } } as const
/** So many times slower than this machine. */
const slowPhone = { slowdown: 4 } as const
let url: string
let walker: Walker | undefined

beforeAll(async () => {
  url = await app.serve({ brandFolder: brandFolder('jamr'), flags: { ...plain, ...languages } })
})

afterEach(async () => {
  await walker?.end()
  walker = undefined
})

async function unlock({ press, fill }: Walker): Promise<void> {
  await press('Unlock')
  await fill('Passphrase', PASSPHRASE)
  await press('Unlock')
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
        await open(url)
        await importAccount(walker, app.keyOf(at))
        await press('Start mining')
        await until('\nMining\n')
        // A page that was loaded again asks for the passphrase before it mines.
        await open(url)
        await unlock(walker)
        await until('\nMining\n')
        // Left by a link, and back: the page that was left must not keep the lock of the leading tab.
        await open(new URL('/', app.network.apiUrl).href)
        await open(url)
        await until('Loading', false)
        await unlock(walker)
        await until('\nMining\n')
        await tab(url)
        await until('Mining')
        await goTo(walker, '/unlock')
        await fill('Passphrase', PASSPHRASE)
        await press('Unlock')
        await closeFirst()
        await until('\nMining\n')
        await goTo(walker, '/wallet/send')
        const to = app.network.accounts.developers[4]?.address ?? ''
        await fill('To', to)
        await fill('Amount in DEV', '1.5')
        await press('Review')
        await until('1.5 DEV')
        await goTo(walker, '/more/language')
        await press('العربية')
        await until('اللغة')
        const direction = await evaluate('document.documentElement.dir')
        expect(direction).toBe('rtl')
      },
    )
  }

  for (const [at, engine] of engines.entries()) {
    const why = missingEngine(engine)
    it.skipIf(why !== null)(
      `check 21: ${engine}, a payment, and an invitation that a second person accepts${why === null ? '' : ` (left out: ${why})`}`,
      { timeout: 300_000 },
      async () => {
        const [agent, friend] = [`5${at}`.repeat(32), `6${at}`.repeat(32)]
        for (const key of [agent, friend])
          await app.network.control.fund(walletFromPrivateKey(key).address, 2n * STAKE)
        walker = await openEngine(engine, slowPhone)
        await walker.open(url)
        await importAccount(walker, agent)
        const { press, fill, until, evaluate } = walker
        await press('Start mining')
        await until('\nMining\n')
        await goTo(walker, '/wallet/send')
        await fill('To', app.network.accounts.developers[4]?.address ?? '')
        await fill('Amount in DEV', '1.5')
        await press('Review')
        await until('1.5 DEV')
        await fill('Passphrase', PASSPHRASE)
        await press('Sign and send')
        await expect
          .poll(() => evaluate(`document.querySelector('.stages')?.dataset.status ?? null`))
          .toBe('confirmed')
        await goTo(walker, '/invite')
        const readCode = (): Promise<unknown> =>
          evaluate(`document.querySelector('[data-code]')?.dataset.code ?? null`)
        await expect.poll(readCode).toMatch(/^ref_/)
        const code = String(await readCode())
        await walker.end()

        walker = await openEngine(engine, slowPhone)
        await walker.open(new URL(`/i/${code}`, url).href)
        await walker.until('You were invited')
        await importAccount(walker, friend, { hasReferrals: false })
        await walker.until('This agent meets the conditions.')
        await walker.press('Use this agent')
        await walker.press('Start mining')
        await walker.until('\nMining\n')
        // The half of the agent comes with the first reward of the friend.
        await using client = createClient({ apiUrl: app.network.apiUrl })
        const { address } = walletFromPrivateKey(agent)
        const halves = async (): Promise<number> =>
          (await client.getReferralRewards({ address })).records.length
        await expect.poll(halves).toBeGreaterThan(0)
      },
    )
  }

  const noFirefox = missingEngine('firefox')
  it.skipIf(noFirefox !== null)(
    'check 22: the first run ends in Firefox though nobody answers its question about storage',
    { timeout: 300_000 },
    async () => {
      const own = await app.serve({
        brandFolder: brandFolder('jamr'),
        flags: { ...plain, referral: { enabled: false }, features: { ...plain.features, invite: false } },
      })
      walker = await openEngine('firefox')
      await walker.open(own)
      // Without a window Firefox answers by itself.
      await walker.evaluate(`(navigator.storage.persist = () => new Promise(() => undefined), true)`)
      await importAccount(walker, app.keyOf(3), { hasReferrals: false })
      await walker.until('\nNot mining\n')
    },
  )

  const noWebKit = missingEngine('webkit')
  it.skipIf(noWebKit !== null)(
    'check 23: WebKit has one miner while a page is left, opened again and followed by a second one',
    { timeout: 300_000 },
    async () => {
      walker = await openEngine('webkit')
      const { open, press, fill, until, tab, closeFirst } = walker
      const { address } = app.network.accounts.developers[4] ?? {}
      const online = (): number =>
        app.network.gateway.minersOnline().filter((miner) => miner.address === address).length
      let most = 0
      const counting = setInterval(() => {
        most = Math.max(most, online())
      }, 20)
      try {
        await open(url)
        await importAccount(walker, app.keyOf(4))
        await press('Start mining')
        await until('\nMining\n')
        await open(new URL('/', app.network.apiUrl).href)
        await expect.poll(online).toBe(0)
        await open(url)
        await until('Loading', false)
        await unlock(walker)
        await until('\nMining\n')
        await tab(url)
        await until('Another tab of this browser is mining.')
        await goTo(walker, '/unlock')
        await fill('Passphrase', PASSPHRASE)
        await press('Unlock')
        await closeFirst()
        await until('Another tab of this browser is mining.', false)
        await until('\nMining\n')
        await expect.poll(online).toBe(1)
      } finally {
        clearInterval(counting)
      }
      expect(most).toBe(1)
    },
  )
})
