import { cp } from 'node:fs/promises'
import { engines, missingEngine, openEngine } from '@hailstone/test-browser'
import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { brandFolder, enterPassphrase, go, importAccount, plain, useApp } from './app-harness.ts'
import { addAuthenticator, changeBox, named, setUpPasskey, usePasskey } from './passkey-steps.ts'
import { useProfiles } from './use-profiles.ts'
import { goTo, importAccount as importByWalk } from './walk-steps.ts'

const app = useApp()
const profiles = useProfiles()
const brand = { brandFolder: brandFolder('jamr'), flags: plain }

describe('a passkey that cannot be had', () => {
  for (const engine of engines.filter((name) => name !== 'chromium')) {
    const why = missingEngine(engine)
    const lacks = why === null ? '' : ` (left out: ${why})`
    it.skipIf(why !== null)(`check 30: is said in ${engine}${lacks}`, { timeout: 300_000 }, async () => {
      const walker = await openEngine(engine)
      try {
        const { open, until, read } = walker
        await open(named(await app.serve(brand)))
        await importByWalk(walker, app.keyOf(1))
        await until('Start mining')
        await goTo(walker, '/more/security')
        await until('A passkey unlocks the wallet')
        const sentences = [
          'There are no passkeys in this browser or app window.',
          'A security key with a PIN can hold the passkey.',
          'they lack the extension PRF',
        ]
        const text = await read()
        expect(sentences.filter((sentence) => text.includes(sentence))).toHaveLength(1)
      } finally {
        await walker.end()
      }
    })
  }
})

describe('a passkey in a profile that was copied', () => {
  async function openFolder(folder: string): Promise<Page> {
    const page = await (await profiles.openIn(folder)).newPage()
    await page.goto(named(await app.serve(brand)))
    return page
  }

  it('check 30: is not opened by the passkey of another device, and is by the passphrase', async () => {
    const [own, copy] = [await profiles.newFolder(), await profiles.newFolder()]
    const page = await openFolder(own)
    await addAuthenticator(page)
    await importAccount(page, app.keyOf(3))
    await page.locator('[data-status="ready"]').waitFor()
    await setUpPasskey(page)
    await page.context().close()
    await cp(own, copy, { recursive: true })
    const thief = await openFolder(copy)
    // Their own device.
    await addAuthenticator(thief)
    await thief.locator('nav.tabs').waitFor()
    await go(thief, '/unlock')
    await usePasskey(thief)
    await thief.getByText('The passkey was not used').waitFor()
    // All that the storage allows: a passkey of their own in place of the one that is stored.
    const id = await thief.evaluate(async () => {
      const random = () => crypto.getRandomValues(new Uint8Array(32))
      const made = (await navigator.credentials.create({
        publicKey: {
          challenge: random(),
          rp: { name: 'thief' },
          user: { id: random(), name: 'thief', displayName: 'thief' },
          pubKeyCredParams: [{ type: 'public-key', alg: -7 }],
          extensions: { prf: {} },
        },
      })) as PublicKeyCredential
      return [...new Uint8Array(made.rawId)]
    })
    await changeBox(thief, { credentialId: id })
    await thief.reload()
    await thief.locator('nav.tabs').waitFor()
    await go(thief, '/unlock')
    await usePasskey(thief)
    await thief.getByText('This passkey does not open the wallet any more.').waitFor()
    await enterPassphrase(thief)
    await thief.locator('.ring-button').waitFor()
  })
})
