import { walletFromPrivateKey } from '@hailstone/client'
import type { Page } from 'playwright-core'
import { forgeMessages } from '../app/forged-messages.ts'
import { heapSnapshots } from '../app/heap-snapshot.ts'
import { createAccount, lockNow, mine, openApp, serveWithoutHeaders, unlock } from '../app/open-app.ts'
import { type Secrets, secretsInMemory, secretsInProfile } from '../app/profile-secrets.ts'
import { needlesInMemory, renderersOf } from '../app/renderers.ts'
import { storedValues } from '../app/stored-values.ts'
import type { Attack, Figure } from '../attack.ts'

const none = (name: string, value: number): Figure => ({ name, value, unit: '', atMost: 0 })
const some = (name: string, value: number): Figure => ({ name, value, unit: '', atLeast: 1 })

/** Names what of the secrets is in a text, however it is written there. */
const secretsIn = (text: string, secrets: Secrets): readonly string[] =>
  secretsInMemory(secrets)
    .filter(({ bytes }) => Buffer.from(text, 'utf8').includes(bytes))
    .map(({ what }) => what)

export const appProfile: Attack = {
  name: 'app-profile',
  row: 'S-4',
  what: 'reads every file of a browser profile with a locked app, and tries every key stored in it',
  async run(context) {
    const app = await openApp(context)
    const browser = await app.browser()
    const page = await browser.newPage()
    await page.goto(app.url)
    const secrets = await createAccount(page)
    await mine(app, page, secrets.address)
    context.say('closed while it is open and mines')
    await browser.close()
    const unlocked = await secretsInProfile(app.folder, secrets)

    const again = await app.browser()
    const locked = await again.newPage()
    await locked.goto(app.url)
    await unlock(locked)
    await lockNow(locked)
    const stored = await storedValues(locked)
    context.say('locked and closed')
    await again.close()
    const { found, bytesRead } = await secretsInProfile(app.folder, secrets)
    for (const line of [...unlocked.found, ...found, ...stored.opened]) context.say(line)
    // What is certainly stored must be found, or the search is worth nothing.
    const passphrase = secrets.address
    const control = await secretsInProfile(app.folder, { privateKey: '11'.repeat(32), words: [], passphrase })
    return [
      none('secrets in the files of an app that was open', unlocked.found.length),
      none('secrets in the files of a locked app', found.length),
      none('stored CryptoKeys', stored.cryptoKeys),
      none('sealed values that something stored opens', stored.opened.length),
      some('sealed values that were tried', stored.sealed),
      { name: 'bytes read', value: bytesRead, unit: '', atLeast: 100_000 },
      some('places of the address, which is stored', control.found.length),
    ]
  },
}

export const appMessages: Attack = {
  name: 'app-messages',
  row: 'S-8',
  what: 'says everything that tabs say to each other, with forged consent, and reads the memory of a second tab',
  async run(context) {
    const app = await openApp(context)
    const browser = await app.browser()
    const page = await browser.newPage()
    await page.goto(app.url)
    const secrets = await createAccount(page)
    await mine(app, page, secrets.address)
    const thief = walletFromPrivateKey(app.network.accounts.developers[4]?.privateKey ?? '').address
    const before = app.network.balance(thief)

    const first = renderersOf(app.folder)
    const needles = secretsInMemory(secrets)
    const inOwner = first.flatMap((pid) => needlesInMemory(pid, needles).found)
    const second = await browser.newPage()
    await second.goto(app.url)
    await second.getByText(/^Another tab of this browser/).waitFor()
    const ofSecond = renderersOf(app.folder).filter((pid) => !first.includes(pid))

    const attacker = await browser.newPage()
    await attacker.goto(`${app.url}brand/brand.json`)
    const open = await forgeMessages(attacker, thief)
    context.say(`open: ${open.sent} messages, ${open.prepared} payments prepared`)
    const snapshots = await heapSnapshots(second)
    const inHeap = snapshots.flatMap((text) => secretsIn(text, secrets))
    const ofSecondTab = ofSecond.map((pid) => needlesInMemory(pid, needles))
    const inMemory = ofSecondTab.flatMap(({ found }) => found)
    const bytesRead = ofSecondTab.reduce((sum, one) => sum + one.bytesRead, 0)
    context.say(`second tab: ${snapshots.length} heaps, ${ofSecond.length} processes of its own`)

    await unlockIfLocked(page)
    await lockNow(page)
    const locked = await forgeMessages(attacker, thief)
    context.say(`locked: ${locked.sent} messages, ${locked.prepared} payments prepared`)
    const said = [open, locked].flatMap(({ text }) => secretsIn(text, secrets))
    for (const line of [...inHeap, ...inMemory, ...said]) context.say(line)
    return [
      none('coins paid to the attacker', Number(app.network.balance(thief) - before)),
      none('payments approved', open.paid + locked.paid),
      some('payments prepared and not approved', open.prepared),
      none('secrets that were said', said.length),
      none('secrets in the heaps of the second tab', inHeap.length),
      { name: 'heaps read, page and worker', value: snapshots.length, unit: '', atLeast: 2 },
      none('secrets in the memory of its process', inMemory.length),
      { name: 'bytes of memory read', value: bytesRead, unit: '' },
      some('secrets in the memory of the tab that mines', inOwner.length),
      { name: 'messages sent', value: open.sent + locked.sent, unit: '' },
    ]
  },
}

/** A page of the origin may lock the app; whether it did changes nothing for what follows. */
async function unlockIfLocked(page: Page): Promise<void> {
  if ((await page.getByRole('link', { name: 'Unlock' }).count()) > 0) await unlock(page)
}

export const appFrame: Attack = {
  name: 'app-frame',
  row: 'S-9',
  what: 'shows the app inside another page, from a host that ignores the headers that forbid it',
  async run(context) {
    const app = await openApp(context)
    const bare = await serveWithoutHeaders(async (path) => {
      const answer = await fetch(new URL(path, app.url))
      if (!answer.ok) throw new Error(String(answer.status))
      const body = new Uint8Array(await answer.arrayBuffer())
      return { type: answer.headers.get('content-type') ?? '', body }
    }, context)
    // In the last one the app has no origin, and does not get as far as refusing.
    const attributes = [
      '',
      'sandbox="allow-scripts allow-same-origin"',
      'allow="*"',
      'sandbox="allow-scripts"',
    ]
    const stranger = await serveWithoutHeaders(async (path) => {
      const attribute = attributes[Number(path.slice(1))] ?? ''
      return { type: 'text/html', body: `<!doctype html><iframe src="${bare}" ${attribute}></iframe>` }
    }, context)
    const browser = await app.browser()
    const page = await browser.newPage()
    await page.goto(bare)
    await page.getByRole('button', { name: 'Create a wallet' }).waitFor()
    const byItself = page.workers().length
    let [buttons, workers, refusals] = [0, 0, 0]
    for (const index of attributes.keys()) {
      await page.goto(`${stranger}${index}`)
      const framed = page.frameLocator('iframe')
      if (index < attributes.length - 1) await framed.getByRole('alert').waitFor()
      else await page.waitForTimeout(5_000)
      refusals += await framed.getByRole('alert').count()
      buttons += await framed.getByRole('button').count()
      workers += page.workers().length
    }
    return [
      none('buttons in a frame', buttons),
      none('workers in a frame', workers),
      { name: 'refusals', value: refusals, unit: '', atLeast: attributes.length - 1 },
      some('workers of the app by itself', byItself),
    ]
  },
}
