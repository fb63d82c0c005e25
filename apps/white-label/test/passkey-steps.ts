import type { CDPSession, Page } from 'playwright-core'
import { go, PASSPHRASE } from './app-harness.ts'

/** WebAuthn refuses IP addresses: the id of a relying party is a host name. */
export const named = (address: string): string => address.replace('127.0.0.1', 'localhost')

export type Authenticator = {
  readonly session: CDPSession
  readonly authenticatorId: string
  readonly credentials: () => Promise<readonly { readonly credentialId: string }[]>
}

/** Gives a page a device that verifies its person and has the extension PRF, unless told otherwise. */
export async function addAuthenticator(page: Page, options: object = {}): Promise<Authenticator> {
  const session = await page.context().newCDPSession(page)
  await session.send('WebAuthn.enable')
  const { authenticatorId } = await session.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      ctap2Version: 'ctap2_1',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
      hasPrf: true,
      ...options,
    },
  })
  const credentials: Authenticator['credentials'] = async () =>
    (await session.send('WebAuthn.getCredentials', { authenticatorId })).credentials
  return { session, authenticatorId, credentials }
}

export const passkeyCard = (page: Page) => page.getByRole('region', { name: 'Passkey', exact: true })

export async function fillSetUp(page: Page, passphrase: string): Promise<void> {
  const sheet = page.getByRole('dialog')
  await sheet.getByLabel('Passphrase').fill(passphrase)
  await sheet.getByRole('button', { name: 'Continue' }).click()
}

export async function setUpPasskey(page: Page): Promise<void> {
  await go(page, '/more/security')
  await passkeyCard(page).getByRole('button', { name: 'Set up a passkey' }).click()
  await fillSetUp(page, PASSPHRASE)
  await page.getByRole('button', { name: 'Create the passkey' }).click()
  await passkeyCard(page).getByText('A passkey is set up.').waitFor()
}

export const usePasskey = (page: Page): Promise<void> =>
  page.getByRole('button', { name: 'Use the passkey' }).click()

/** Changes the stored box of the passkey as anybody with the storage can: a bit of one part, or whole parts. */
export const changeBox = (
  page: Page,
  change: string | { readonly [part: string]: readonly number[] },
): Promise<void> =>
  page.evaluate(async (given) => {
    const database = await new Promise<IDBDatabase>((done) => {
      const opening = indexedDB.open('hailstone-jamr')
      opening.onsuccess = () => done(opening.result)
    })
    const store = database.transaction('values', 'readwrite').objectStore('values')
    const box = await new Promise<Record<string, Uint8Array | ArrayBuffer>>((done) => {
      const asked = store.get('passkey')
      asked.onsuccess = () => done(asked.result)
    })
    if (typeof given === 'string') {
      const bytes = new Uint8Array(box[given] as ArrayBuffer)
      bytes[0] = (bytes[0] ?? 0) ^ 1
      box[given] = given === 'sealed' ? bytes.buffer : bytes
    } else for (const [part, bytes] of Object.entries(given)) box[part] = new Uint8Array(bytes)
    store.put(box, 'passkey')
    await new Promise((done) => store.transaction.addEventListener('complete', done))
    database.close()
  }, change)
