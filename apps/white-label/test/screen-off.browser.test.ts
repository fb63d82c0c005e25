import type { BrowserContext, Page } from 'playwright-core'
import { beforeAll, describe, expect, it } from 'vitest'
import { withinMs } from '../../../scripts/strict-times.ts'
import type { FromService, ServiceConditions, ToService } from '../src/host/miner-messages.ts'
import type { ServiceState } from '../src/host/miner-service.ts'
import {
  begin,
  brandFolder,
  enterPassphrase,
  go,
  importAccount,
  PASSPHRASE,
  plain,
  untilStatus,
  useApp,
} from './app-harness.ts'

const app = useApp()
let url: string

const serve = (given: { readonly security?: object } = {}): Promise<string> => {
  const mining = { ...plain.mining, thermalPause: true }
  const native = { android: { applicationId: 'example.jamr' } }
  const flags = { ...plain, mining, native, ...given }
  return app.serve({ brandFolder: brandFolder('jamr'), flags, target: 'android' })
}

beforeAll(async () => {
  url = await serve()
})

const fine: ServiceConditions = {
  type: 'conditions',
  isOnline: true,
  isMetered: false,
  isCharging: true,
  battery: 90,
  isHot: false,
  isHeld: false,
}

type Played = {
  readonly miner: MinerHostOfPage
  readonly listeners: Record<string, (given: object) => void>
}
type MinerHostOfPage = { onmessage: ((event: { readonly data: string }) => void) | null }

/** Plays the service of a package: its plugin for the app's page, and its page in a tab that nobody looks at. */
async function playService(given: Partial<ServiceState> = {}, at = url) {
  const context: BrowserContext = await app.device()
  const page = await context.newPage()
  const heard: ToService[] = []
  const calls: string[] = []
  let isAllowed = true
  let conditions = fine
  let passphrase: string | undefined
  let miner: Page | null = null
  let isStopDue = false
  let earlyStop: 'none' | 'wanted' | 'told' = 'none'

  const state = (): ServiceState => ({
    isRunning: miner !== null,
    isPossible: true,
    isStopDue,
    isExempt: false,
    isRestricted: false,
    ...given,
  })
  const tell = async (message: FromService): Promise<void> => {
    await miner?.evaluate(
      (data) => (globalThis as unknown as { minerHost: MinerHostOfPage }).minerHost.onmessage?.({ data }),
      JSON.stringify(message),
    )
  }
  const changed = (): Promise<void> =>
    page.evaluate(
      (next) => (globalThis as unknown as { played: Played }).played.listeners['AppMiner.state']?.(next),
      state(),
    )
  async function end(): Promise<void> {
    const before = miner
    miner = null
    await before?.close()
    await changed()
  }
  async function openMiner(isAgain: boolean): Promise<void> {
    const opened = await context.newPage()
    miner = opened
    await opened.exposeFunction('toService', async (text: string) => {
      const message = JSON.parse(text) as ToService
      heard.push(message)
      if (message.type === 'done') await end()
      if (message.type !== 'ready') return
      if (earlyStop === 'wanted') await tell({ type: 'stop' })
      await tell(conditions)
      await tell({ type: 'begin', ...(passphrase === undefined ? {} : { passphrase }), isAgain })
      if (earlyStop === 'wanted') earlyStop = 'told'
    })
    await opened.addInitScript(() => {
      const toService = (globalThis as unknown as { toService: (text: string) => void }).toService
      Object.assign(globalThis, { minerHost: { postMessage: toService, onmessage: null } })
    })
    await opened.goto(`${at}miner.html`)
  }

  await page.exposeFunction('toPlugin', async (call: string, given: { passphrase?: string } | null) => {
    calls.push(call)
    if (call === 'AppMiner.state') return state()
    if (call === 'AppMiner.end') await tell({ type: 'stop' })
    if (call === 'AppMiner.confirmStop') isStopDue = false
    if (call === 'AppDevice.askToNotify') return { isAllowed: false }
    if (call === 'AppMiner.begin' && isAllowed) {
      passphrase = given?.passphrase
      await openMiner(false)
    }
    return call === 'AppMiner.begin' ? state() : null
  })
  await page.addInitScript(() => {
    const listeners: Record<string, unknown> = {}
    const { toPlugin } = globalThis as unknown as {
      toPlugin: (call: string, given: object | null) => Promise<unknown>
    }
    Object.assign(globalThis, {
      played: { listeners },
      Capacitor: {
        nativePromise: (plugin: string, method: string, given?: object) =>
          toPlugin(`${plugin}.${method}`, given ?? null),
        addListener: (plugin: string, event: string, listener: unknown) => {
          listeners[`${plugin}.${event}`] = listener
        },
      },
    })
  })
  await page.goto(at)
  return {
    page,
    heard,
    calls,
    tell,
    refuse: () => {
      isAllowed = false
    },
    /** The person stops before the page of the service has begun. */
    stopEarly: () => {
      earlyStop = 'wanted'
    },
    wasStoppedEarly: () => earlyStop === 'told',
    change: (part: Partial<ServiceConditions>) => {
      conditions = { ...conditions, ...part }
      return tell(conditions)
    },
    /** The process that draws the miner's page dies. */
    die: async () => {
      await miner?.close()
    },
    /** The service opens its page again. */
    reopen: async () => {
      heard.length = 0
      await openMiner(true)
    },
    /** The system ends the app and starts the service again. */
    restart: async () => {
      await miner?.close()
      passphrase = undefined
      heard.length = 0
      await openMiner(true)
    },
    /** The page of the service does not answer to a stop. */
    endWithoutAnswer: async () => {
      isStopDue = true
      await end()
    },
    isRunning: () => miner !== null,
    /** Returns the last of the messages of one kind. */
    last: <Type extends ToService['type']>(type: Type) =>
      heard.findLast((one): one is Extract<ToService, { type: Type }> => one.type === type),
  }
}

type Service = Awaited<ReturnType<typeof playService>>

/** Starts mining with the screen off as a person does. */
async function startService({ page }: Service): Promise<void> {
  await begin(page)
  const sheet = page.getByRole('dialog')
  await sheet.getByText('Uses battery and data.').waitFor()
  await sheet.getByRole('button', { name: 'Yes' }).click()
  await sheet.getByLabel('Passphrase', { exact: true }).fill(PASSPHRASE)
  await sheet.getByRole('button', { name: 'Start mining' }).click()
  await sheet.waitFor({ state: 'detached' })
}

/** Chooses mining with the screen off, and puts a gap of twelve minutes into the work log, an hour before now or after. */
const withGap = (page: Page, isLater = false): Promise<void> =>
  page.evaluate(async (later) => {
    const name = 'hailstone-jamr-preferences'
    const before = JSON.parse(localStorage.getItem(name) ?? '{}') as object
    localStorage.setItem(name, JSON.stringify({ ...before, screenOff: true }))
    const asked = indexedDB.open('hailstone-jamr', 1)
    await new Promise((resolve) => asked.addEventListener('success', resolve))
    const atMs = Date.now() + (later ? 3_600_000 : -3_600_000)
    const transaction = asked.result.transaction('values', 'readwrite')
    transaction.objectStore('values').put([{ kind: 'gap', fromMs: atMs - 720_000, atMs }], 'log')
    await new Promise((resolve) => transaction.addEventListener('complete', resolve))
    asked.result.close()
  }, isLater)

describe('a package with the service', () => {
  it('check 26: mines in the page of the service; the shown one watches, and the device and the notification decide', async () => {
    const service = await playService()
    const { page } = service
    await importAccount(page, app.keyOf(0))
    await page.getByText('Mines while the app is open.').waitFor()
    await startService(service)
    await untilStatus(page, 'Mining')
    await page.getByText('Mines with the screen off, too.').waitFor()
    expect(await page.getByText('Mines while this page is open.').count()).toBe(0)
    // A page that has not got so far that its engine runs gives no sign of life.
    expect(service.heard[0]).toEqual({ type: 'ready' })
    expect(app.sessionsOf(0)).toHaveLength(1)
    await expect.poll(() => service.last('line')).toMatchObject({ title: 'Mining' })
    expect(service.last('line')?.text).toMatch(/last signature/)
    expect(service.last('beat')).toMatchObject({ needsProcessor: true, isHidden: false })
    await service.change({ isHot: true })
    await untilStatus(page, 'Paused')
    await page.locator('.status-reason', { hasText: 'the device is too hot' }).waitFor()
    await expect.poll(() => app.sessionsOf(0).length).toBe(0)
    await expect.poll(() => service.last('beat')).toMatchObject({ needsProcessor: false })
    await expect.poll(() => service.last('line')).toMatchObject({ text: 'Paused: the device is too hot.' })
    await service.change({ isHot: false, isHeld: true })
    await page.locator('.status-reason', { hasText: 'Paused by you in the notification.' }).waitFor()
    await service.change({ isHeld: false })
    await untilStatus(page, 'Mining')
    expect(app.sessionsOf(0)).toHaveLength(1)
    await service.tell({ type: 'stop' })
    await untilStatus(page, 'Not mining')
    await expect.poll(service.isRunning).toBe(false)
    expect(service.last('done')).toEqual({ type: 'done', notice: null })
    await page.getByText('Mines while the app is open.').waitFor()
    expect(app.sessionsOf(0)).toHaveLength(0)
    await go(page, '/log')
    await page.getByText('Paused: the device is too hot.').waitFor()
  })

  it('check 26: is stopped in the app, and by the app where its own page does not answer', async () => {
    const service = await playService()
    const { page } = service
    await importAccount(page, app.keyOf(1))
    await startService(service)
    await untilStatus(page, 'Mining')
    await page.getByRole('button', { name: 'Stop mining' }).click()
    await untilStatus(page, 'Not mining')
    await expect.poll(service.isRunning).toBe(false)
    expect(service.calls).toContain('AppMiner.end')
    // The choice is kept; the passphrase is asked for again.
    await begin(page)
    const sheet = page.getByRole('dialog')
    await sheet.getByLabel('Passphrase', { exact: true }).fill(PASSPHRASE)
    await sheet.getByRole('button', { name: 'Start mining' }).click()
    await untilStatus(page, 'Mining')
    await service.endWithoutAnswer()
    await untilStatus(page, 'Not mining')
    await expect.poll(() => service.calls.includes('AppMiner.confirmStop')).toBe(true)
    await page.getByRole('button', { name: 'Start mining' }).waitFor()
    expect(app.sessionsOf(1)).toHaveLength(0)
  })

  it('check 26: a stop before the page of the service has begun is left to the app', async () => {
    const service = await playService()
    const { page } = service
    await importAccount(page, app.keyOf(4))
    await page.getByText('Mines while the app is open.').waitFor()
    service.stopEarly()
    await startService(service)
    await expect.poll(service.wasStoppedEarly).toBe(true)
    expect(service.last('done')).toBeUndefined()
    await service.endWithoutAnswer()
    await expect.poll(() => service.calls.includes('AppMiner.confirmStop')).toBe(true)
    await untilStatus(page, 'Not mining')
    await page.getByRole('button', { name: 'Start mining' }).waitFor()
    expect(service.heard.map(({ type }) => type)).toEqual(['ready'])
  })

  it('check 26: is stopped for good while the app is covered, where the brand locks always', async () => {
    const security = { ...plain.security, lock: 'always' }
    const service = await playService({}, await serve({ security }))
    const { page } = service
    const cover = async (): Promise<void> => {
      await page.evaluate(() => new BroadcastChannel('hailstone-jamr').postMessage({ type: 'cover' }))
      await page.getByRole('heading', { name: 'is locked' }).waitFor()
    }
    const open = async (): Promise<void> => {
      await enterPassphrase(page)
      await page.getByRole('button', { name: 'Start mining' }).waitFor()
      await untilStatus(page, 'Not mining')
      expect(app.sessionsOf(4)).toHaveLength(0)
    }
    await importAccount(page, app.keyOf(4))
    await startService(service)
    await untilStatus(page, 'Mining')
    await cover()
    expect(app.sessionsOf(4)).toHaveLength(1)
    // The notification's button.
    await service.tell({ type: 'stop' })
    await expect.poll(service.isRunning).toBe(false)
    expect(service.last('done')).toEqual({ type: 'done', notice: null })
    await open()
    await begin(page)
    const sheet = page.getByRole('dialog')
    await sheet.getByLabel('Passphrase', { exact: true }).fill(PASSPHRASE)
    await sheet.getByRole('button', { name: 'Start mining' }).click()
    await untilStatus(page, 'Mining')
    await cover()
    await service.endWithoutAnswer()
    await expect.poll(() => service.calls.includes('AppMiner.confirmStop')).toBe(true)
    await open()
  })

  it('check 26: owns again within two seconds when its page is opened anew, and says that a new app process is locked', async () => {
    const service = await playService()
    const { page } = service
    await importAccount(page, app.keyOf(2))
    await startService(service)
    await untilStatus(page, 'Mining')
    // A page that comes back to the screen does not mine, not even while the service has no page.
    await page.evaluate(() => document.dispatchEvent(new Event('freeze')))
    await page.evaluate(() => document.dispatchEvent(new Event('resume')))
    const leaders = (): Promise<number | undefined> =>
      page.evaluate(
        async () =>
          (await navigator.locks.query()).held?.filter(({ name }) => name === 'hailstone-jamr-owner').length,
      )
    expect(await leaders()).toBe(1)
    await service.die()
    await expect.poll(() => app.sessionsOf(2).length).toBe(0)
    expect(await leaders()).toBe(0)
    await service.reopen()
    await expect.poll(() => service.last('ready')).toBeDefined()
    const readyAt = Date.now()
    await expect.poll(() => app.sessionsOf(2).length, { interval: 20 }).toBe(1)
    expect(Date.now() - readyAt).toBeLessThan(withinMs(2_000))
    await expect.poll(() => service.last('line')).toMatchObject({ title: 'Mining' })
    await service.restart()
    await expect
      .poll(() => service.last('done'))
      .toMatchObject({
        notice: 'Mining has stopped. Open the app and enter the passphrase.',
      })
    await expect.poll(service.isRunning).toBe(false)
  })

  it('mines while it is open for who wants that, and where Android refuses', async () => {
    const service = await playService()
    const { page } = service
    await importAccount(page, app.keyOf(3))
    service.refuse()
    await begin(page)
    const sheet = page.getByRole('dialog')
    await sheet.getByRole('button', { name: 'Yes' }).click()
    await sheet.getByLabel('Passphrase', { exact: true }).fill('another passphrase')
    await sheet.getByRole('button', { name: 'Start mining' }).click()
    await sheet.getByText('Wrong passphrase.').waitFor()
    expect(service.calls).not.toContain('AppMiner.begin')
    await sheet.getByLabel('Passphrase', { exact: true }).fill(PASSPHRASE)
    await sheet.getByRole('button', { name: 'Start mining' }).click()
    await sheet.getByRole('alert').getByText('Android did not allow it now.').waitFor()
    await sheet.getByRole('button', { name: 'Only while open' }).click()
    await untilStatus(page, 'Mining')
    await page.getByRole('button', { name: 'Stop mining' }).click()
    await untilStatus(page, 'Not mining')
    await begin(page)
    await untilStatus(page, 'Mining')
    expect(await page.getByRole('dialog').count()).toBe(0)
    expect(service.calls.filter((call) => call === 'AppMiner.begin')).toHaveLength(1)
  })

  it('asks to run without battery limits after a gap of ten minutes, once, and not before', async () => {
    const given = { isExempt: false }
    const service = await playService(given)
    const { page } = service
    await importAccount(page, app.keyOf(4))
    await page.getByText('Mines while the app is open.').waitFor()
    expect(await page.getByRole('button', { name: 'Allow' }).count()).toBe(0)
    await withGap(page)
    await page.reload()
    await page.getByText(/^Android paused mining from .+ to /).waitFor()
    await page.getByRole('button', { name: 'Allow' }).click()
    await page.getByRole('button', { name: 'Allow' }).waitFor({ state: 'detached' })
    expect(service.calls).toContain('AppMiner.askForExemption')
    await page.reload()
    await page.getByText('Mines while the app is open.').waitFor()
    expect(await page.getByRole('button', { name: 'Allow' }).count()).toBe(0)
    // Only a gap that came after the question says that the exemption does not help.
    given.isExempt = true
    for (const isLater of [false, true]) {
      await withGap(page, isLater)
      await page.reload()
      await page.getByText('Mines while the app is open.').waitFor()
      await go(page, '/health')
      await page.getByText('These are all reasons that this app can detect.').waitFor()
      await expect.poll(() => page.getByText('ends apps in the background').count()).toBe(isLater ? 1 : 0)
      await go(page, '/')
    }
  })

  it('says who ended it, and under health what the phone forbids', async () => {
    const endedAtMs = Date.now() - 60_000
    const service = await playService({ endedAtMs, endedBy: 'person', isRestricted: true })
    const { page } = service
    await importAccount(page, app.keyOf(4))
    await page.getByText('Mines while the app is open.').waitFor()
    expect(await page.getByText('Mining ended at').count()).toBe(0)
    await withGap(page)
    await page.reload()
    await page.getByText(/^Mining ended at .+: the app was stopped in the list of active apps\.$/).waitFor()
    expect(await page.getByRole('button', { name: 'Mine with the screen off?' }).count()).toBe(0)
    await go(page, '/health')
    await page.getByText('The battery use of this app is restricted').waitFor()
    await page.getByRole('button', { name: 'Open settings' }).click()
    await expect.poll(() => service.calls.includes('AppMiner.openBatterySettings')).toBe(true)
  })
})
