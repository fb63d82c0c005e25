import { walletFromMnemonic } from '@hailstone/client/mnemonic'
import { describe, expect, it } from 'vitest'
import { secretsInProfile } from '../../../packages/attack/src/app/profile-secrets.ts'
import { canary } from '../../../packages/client/test/support/canary-spellings.mjs'
import { brandFolder, go, plain, shownWords, useApp } from './app-harness.ts'
import { useProfiles } from './use-profiles.ts'

const app = useApp()
const profiles = useProfiles()

describe('S-4: the profile of a locked app', () => {
  it('is searched well: the key that a brand lets people store without a passphrase is found', async () => {
    const lax = await app.serve({
      brandFolder: brandFolder('jamr'),
      flags: { ...plain, security: { lock: 'optional', autoLockMin: 60 } },
    })
    const folder = await profiles.newFolder()
    const browser = await profiles.openIn(folder)
    const page = await browser.newPage()
    await page.goto(lax)
    await page.getByRole('checkbox').check()
    await page.getByRole('button', { name: 'Create a wallet' }).click()
    await page.getByText('stored on this device unprotected').waitFor()
    await page.getByRole('button', { name: 'Without a passphrase' }).click()
    const words = await shownWords(page)
    await page.getByRole('button', { name: 'Later' }).click()
    await page.getByRole('button', { name: 'Continue without an agent' }).click()
    await page.getByRole('button', { name: 'Start mining' }).waitFor()
    await go(page, '/more/security')
    await page.getByText('A passphrase cannot protect this key any more').waitFor()
    // Only a new account asks for a passphrase twice.
    expect(await page.getByLabel('Passphrase again').count()).toBe(0)
    await page.getByRole('button', { name: 'Start with a new wallet' }).click()
    await page.getByRole('dialog').waitFor()
    await browser.close()
    const wallet = walletFromMnemonic(words.join(' '))
    const secrets = { privateKey: wallet.exportPrivateKey(), words, passphrase: canary.password }
    const { found } = await secretsInProfile(folder, secrets)
    expect(found.filter((line) => line.startsWith('key'))).not.toEqual([])
    expect(found.filter((line) => line.startsWith('words'))).not.toEqual([])
  })
})
