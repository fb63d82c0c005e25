import { encodeReferralCode } from '@hailstone/protocol'
import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, it } from 'vitest'
import { begin, brandFolder, go, importAccount, plain, untilStatus, useApp } from './app-harness.ts'

const app = useApp()
let url: string

beforeAll(async () => {
  url = await app.serve({ brandFolder: brandFolder('jamr'), flags: plain })
})

const part = (page: Page, selector: string): Promise<string> => page.locator(selector).innerText()

describe('what miners ask', () => {
  it('is answered where it is so: seen by the network, its share, and an agent that meets the conditions', async () => {
    const [agent] = app.network.accounts.developers.slice(2)
    if (agent === undefined) throw new Error('there are five developers')
    await app.network.control.fund(agent.address, 2_000n * 10n ** 10n)
    const page = await app.open(url)
    await importAccount(page, app.keyOf(0), encodeReferralCode(agent.address))
    await begin(page)
    await untilStatus(page, 'Mining')
    await go(page, '/health')
    await page.locator('[data-check="seen"][data-verdict="fine"]').waitFor()
    expect(await part(page, '[data-check="seen"] p')).toMatch(
      /^The network lists this device\. Miners online: \d+\.$/,
    )
    await page.locator('[data-why="WORK"]').waitFor()
    expect(await part(page, '[data-why="WORK"]')).toMatch(/offered: \d+, signed: \d+, too late: \d+/)
    expect(await part(page, '[data-why^="STAKE_"]')).toMatch(/^Your stake /)
    expect(await part(page, '[data-why="ONLINE"]')).toMatch(/^Connected since the start: /)
    expect(await part(page, '[data-why^="SLOT_"]')).toMatch(
      /a place of its own.*\. Places of the network: \d+, blocks in each: \d+\.$/,
    )
    await go(page, '/invite')
    await page.locator('[data-referrer="AGENT_STAKE agent"][data-met="true"]').waitFor()
    await page.locator('[data-referrer="OWN_STAKE miner"][data-met="true"]').waitFor()
    expect(await part(page, '[data-referrer="CHANGING"]')).toContain(
      'The next block you sign names the new agent.',
    )
  })

  it('is answered where it is not: nothing started, no stake, and an agent without the token', async () => {
    const page = await app.open(url)
    await importAccount(page, '8'.repeat(64), encodeReferralCode(`02${'cd'.repeat(32)}` as never))
    await go(page, '/health')
    await page.locator('[data-check="seen"][data-verdict="unknown"]').waitFor()
    expect(await part(page, '[data-check="seen"] p')).toMatch(/^Not (connected|started)\./)
    await page.locator('[data-why="STAKE_BELOW"]').waitFor()
    await page.locator('[data-why="WORK_NONE"]').waitFor()
    await go(page, '/invite')
    await page.locator('[data-referrer="OWN_STAKE miner"][data-met="false"]').waitFor()
    expect(await part(page, '[data-referrer="OWN_STAKE miner"]')).toContain('Your side: you hold 0')
    await page.locator('[data-referrer="AGENT_BALANCE agent"][data-met="false"]').waitFor()
    expect(await part(page, '[data-referrer="NAMED miner"]')).toContain(
      'None of your blocks names this agent yet.',
    )
  })

  it('does not wait for the network to say what this device knows', async () => {
    const page = await app.open(url)
    let isAsked = false
    await page.context().route(/\/get_token_info_page/, () => {
      isAsked = true
    })
    await importAccount(page, '9'.repeat(64))
    await go(page, '/health')
    await page.locator('[data-why="STAKE_BELOW"]').waitFor()
    expect(await page.locator('[data-why^="SLOT_"]').count()).toBe(0)
    expect(isAsked).toBe(true)
  })

  it('names what is not known', async () => {
    const page = await app.open(url)
    const agent = `02${'ef'.repeat(32)}`
    // What was known before stays.
    await page.context().route(`**/balance?*${agent}*`, (route) => route.abort())
    await importAccount(page, '7'.repeat(64), encodeReferralCode(agent))
    await go(page, '/invite')
    const of = (name: string) => page.locator(`[data-referrer="${name}"][data-met="null"]`)
    await of('AGENT_BALANCE agent').waitFor()
    expect(await of('AGENT_BALANCE agent').innerText()).toContain('this agent could not be checked')
  })
})
