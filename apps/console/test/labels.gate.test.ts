import { openBrowser } from '@hailstone/test-browser'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { describeEngines } from '../../../packages/local-network/test/engines.ts'
import { payloads } from '../../white-label/test/hostile-texts.ts'
import type { ConsoleServer } from '../src/serve-console.ts'
import { axeFindings } from './axe-findings.ts'
import { type Answer, type ConsoleFixture, openConsole, PASSWORD, type Visit } from './console-fixture.ts'

const addressOf = (number: number): string => `02${number.toString(16).padStart(64, '0')}`
const labelled = (text: string, address = addressOf(1), kind = 'payer') => ({
  method: 'POST',
  body: { address, text, kind },
})

describeEngines('labels of accounts', (engine) => {
  let fixture: ConsoleFixture
  let server: ConsoleServer
  let admin: Visit
  const visitAs = async (name: string): Promise<Visit> =>
    fixture.visit(server.url, await fixture.signIn(server, { name, password: PASSWORD }))
  const rows = async (): Promise<readonly unknown[]> => (await admin.send('/v1/labels')).body.data.rows
  beforeAll(async () => {
    fixture = await openConsole(await engine.newPlace())
    server = await fixture.serve()
    for (const role of ['owner', 'admin', 'analyst'] as const)
      await fixture.people.add({ name: `an ${role}`, role, password: PASSWORD }, null)
  })
  afterAll(() => fixture?.[Symbol.asyncDispose]())
  beforeEach(async () => {
    await fixture.follower.index.queries.deleteFrom('hailstone_console.label' as never).execute()
    admin = await visitAs('an admin')
  })

  it('are set, changed and removed by an admin, and the log has the account and not the name', async () => {
    expect((await admin.send('/v1/labels', labelled('Till of Ada'))).status).toBe(204)
    expect(await rows()).toStrictEqual([[addressOf(1), 'Till of Ada', 'payer']])
    expect((await admin.send('/v1/labels', labelled('Till', addressOf(1), 'own'))).status).toBe(204)
    expect(await rows()).toStrictEqual([[addressOf(1), 'Till', 'own']])
    const csv = await admin.send('/v1/labels.csv')
    expect(csv.text).toBe(`Account,Label,Kind\r\n${addressOf(1)},Till,own\r\n`)
    const removed = (): Promise<Answer> => admin.send(`/v1/labels/${addressOf(1)}`, { method: 'DELETE' })
    expect((await removed()).status).toBe(204)
    expect((await removed()).status).toBe(404)
    expect(await rows()).toStrictEqual([])
    const { text } = await (await visitAs('an owner')).send('/v1/audit')
    const log = JSON.parse(text) as readonly { readonly action: string; readonly subject: string | null }[]
    expect(log.filter(({ action }) => action.startsWith('label')).slice(0, 3)).toMatchObject([
      { action: 'label removed', subject: addressOf(1), person: 'an admin' },
      { action: 'label set', subject: addressOf(1) },
      { action: 'label set', subject: addressOf(1) },
    ])
    expect(text).not.toContain('Till')
  })

  it('are refused without the role, without an account, with an unknown kind, and beyond a thousand', async () => {
    const analyst = await visitAs('an analyst')
    for (const question of [labelled('Till'), {}])
      expect((await analyst.send('/v1/labels', question)).status).toBe(403)
    for (const wrong of [
      labelled('Till', '02'),
      labelled('Till', addressOf(1).toUpperCase().replace('02', '0F')),
      labelled('Till', addressOf(1), 'friend'),
      labelled(''),
      labelled('a'.repeat(101)),
      labelled('two\nlines'),
    ])
      expect([wrong.body, (await admin.send('/v1/labels', wrong)).status]).toStrictEqual([wrong.body, 400])
    expect(await rows()).toStrictEqual([])
    const { queries } = fixture.follower.index
    await queries
      .insertInto('hailstone_console.label' as never)
      .values(
        Array.from({ length: 1_000 }, (_, at) => ({
          address: addressOf(at),
          text: 'x',
          kind: 'own',
        })) as never,
      )
      .execute()
    const refused = await admin.send('/v1/labels', labelled('one more', addressOf(1_000)))
    expect([refused.status, refused.body.error]).toStrictEqual([
      409,
      'There are 1000 labels already. Remove one that is not needed.',
    ])
    expect((await admin.send('/v1/labels', labelled('another name', addressOf(999)))).status).toBe(204)
    expect((await rows()).length).toBe(1_000)
  })

  it('take 200 hostile texts as texts, and the page runs none of them', async () => {
    const kept: string[] = []
    for (const [number, text] of payloads.entries()) {
      const { status } = await admin.send('/v1/labels', labelled(text, addressOf(number)))
      expect([text, [204, 400].includes(status)]).toStrictEqual([text, true])
      if (status === 204) kept.push(text.trim())
    }
    expect(kept.length).toBeGreaterThan(50)
    const browser = await openBrowser()
    try {
      const page = await browser.newPage({ viewport: { width: 360, height: 740 } })
      const problems: string[] = []
      page.on('pageerror', (error) => problems.push(error.message))
      page.on('dialog', (dialog) => problems.push(dialog.message()))
      await page.goto(`${server.url}/#labels`)
      await page.getByLabel('Name').fill('an admin')
      await page.getByLabel('Password').fill(PASSWORD)
      await page.getByRole('button', { name: 'Sign in' }).click()
      const cells = page.getByLabel('Labels', { exact: true }).locator('tbody td:nth-child(2)')
      await expect.poll(() => cells.count()).toBe(kept.length)
      expect([...(await cells.allTextContents())].sort()).toStrictEqual([...kept].sort())
      expect(await page.evaluate('globalThis.hit')).toBeUndefined()
      expect(await axeFindings(page)).toStrictEqual([])
      expect(problems).toStrictEqual([])
      await page.close()
    } finally {
      await browser.close()
    }
  })

  it('are set and removed on the page', async () => {
    const browser = await openBrowser()
    try {
      const page = await browser.newPage({ viewport: { width: 360, height: 740 } })
      await page.goto(`${server.url}/#labels`)
      await page.getByLabel('Name').fill('an admin')
      await page.getByLabel('Password').fill(PASSWORD)
      await page.getByRole('button', { name: 'Sign in' }).click()
      await page.getByText('No account has a label yet.').waitFor()
      const address = page.getByLabel('Address')
      await address.fill('nothing')
      await page.getByLabel('Label').fill('Till')
      await page.getByRole('button', { name: 'Set the label' }).click()
      await page.getByText('address: an address, 66 hex digits in lower case').waitFor()
      await address.fill(` ${addressOf(7).toUpperCase().replace('0X', '0x')} `)
      await page.getByLabel('Kind').selectOption('payer')
      await page.getByRole('button', { name: 'Set the label' }).click()
      await page.getByRole('cell', { name: 'Till', exact: true }).waitFor()
      expect(await rows()).toStrictEqual([[addressOf(7), 'Till', 'payer']])
      expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBe(0)
      expect(await axeFindings(page)).toStrictEqual([])
      await page.getByRole('button', { name: 'Remove: Till' }).click()
      await page.getByRole('button', { name: 'Really remove?: Till' }).click()
      await page.getByText('No account has a label yet.').waitFor()
      expect(await rows()).toStrictEqual([])
    } finally {
      await browser.close()
    }
  })
})
