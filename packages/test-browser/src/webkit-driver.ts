// WebDriver for WebKitGTK. The well-kept clients need Node 22 or a driver from elsewhere; a dozen commands are enough.
import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'
import { createServer } from 'node:net'

/** A session of WebKitGTK's MiniBrowser on a display of its own. */
export type WebKitDriver = {
  readonly open: (url: string) => Promise<void>
  /** Runs a function body in the page, with `arguments`. Elements come back as references. */
  readonly execute: (body: string, given: readonly unknown[]) => Promise<unknown>
  readonly click: (element: unknown) => Promise<void>
  readonly clear: (element: unknown) => Promise<void>
  readonly type: (element: unknown, text: string) => Promise<void>
  readonly openTab: (url: string) => Promise<void>
  readonly goToFirstTab: () => Promise<void>
  readonly closeFirstTab: () => Promise<void>
  readonly end: () => Promise<void>
}

/** Ends a command that the driver never answers. */
const COMMAND_MS = 90_000

const ELEMENT = 'element-6066-11e4-a52e-4f735466cecf'

function miniBrowser(): string {
  const libraries = '/usr/lib'
  for (const machine of readdirSync(libraries)) {
    for (const version of ['webkit2gtk-4.1', 'webkitgtk-6.0']) {
      const path = `${libraries}/${machine}/${version}/MiniBrowser`
      if (existsSync(path)) return path
    }
  }
  throw new Error('MiniBrowser of WebKitGTK is not installed (Debian: webkit2gtk-driver).')
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer()
    server.once('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      server.close(() => resolve(typeof address === 'object' && address !== null ? address.port : 0))
    })
  })
}

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

/** Starts a display of its own; a display number is free if nobody has its lock. */
async function startDisplay(): Promise<{ readonly name: string; readonly display: ChildProcess }> {
  for (let number = 90 + (process.pid % 200); ; number++) {
    if (existsSync(`/tmp/.X${number}-lock`)) continue
    const display = spawn('Xvfb', [`:${number}`, '-screen', '0', '800x1000x24', '-nolisten', 'tcp'], {
      stdio: 'ignore',
    })
    for (let tries = 0; tries < 100 && display.exitCode === null; tries++) {
      if (existsSync(`/tmp/.X11-unix/X${number}`)) return { name: `:${number}`, display }
      await pause(100)
    }
    display.kill()
  }
}

export async function startWebKit(): Promise<WebKitDriver> {
  const { name, display } = await startDisplay()
  const port = await freePort()
  const driver = spawn('WebKitWebDriver', [`--port=${port}`, '--host=127.0.0.1'], {
    stdio: 'ignore',
    env: { ...process.env, DISPLAY: name, WEBKIT_DISABLE_COMPOSITING_MODE: '1', LANG: 'en_US.UTF-8' },
  })
  const stop = (): void => {
    driver.kill()
    display.kill()
  }

  async function command(method: string, path: string, body?: unknown): Promise<unknown> {
    const answer = await fetch(`http://127.0.0.1:${port}${path}`, {
      method,
      signal: AbortSignal.timeout(COMMAND_MS),
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    const { value } = (await answer.json()) as { readonly value: unknown }
    if (!answer.ok) throw new Error(`WebDriver ${path}: ${JSON.stringify(value)}`)
    return value
  }

  async function untilReady(): Promise<void> {
    for (let tries = 0; tries < 200; tries++) {
      const isReady = await command('GET', '/status').then(
        () => true,
        () => false,
      )
      if (isReady) return
      await pause(100)
    }
    throw new Error('WebKitWebDriver does not answer.')
  }

  try {
    await untilReady()
    const { sessionId } = (await command('POST', '/session', {
      capabilities: {
        alwaysMatch: { 'webkitgtk:browserOptions': { binary: miniBrowser(), args: ['--automation'] } },
      },
    })) as { readonly sessionId: string }
    const at = `/session/${sessionId}`
    const handles = async (): Promise<readonly string[]> =>
      (await command('GET', `${at}/window/handles`)) as readonly string[]
    const first = (await handles())[0]
    const idOf = (element: unknown): string => (element as Readonly<Record<string, string>>)[ELEMENT] ?? ''
    const open = async (url: string): Promise<void> => void (await command('POST', `${at}/url`, { url }))
    await command('POST', `${at}/timeouts`, { pageLoad: 60_000, script: 30_000 })
    await command('POST', `${at}/window/rect`, { width: 390, height: 844 })
    return {
      open,
      execute: (body, given) => command('POST', `${at}/execute/sync`, { script: body, args: given }),
      click: async (element) => void (await command('POST', `${at}/element/${idOf(element)}/click`, {})),
      clear: async (element) => void (await command('POST', `${at}/element/${idOf(element)}/clear`, {})),
      type: async (element, text) =>
        void (await command('POST', `${at}/element/${idOf(element)}/value`, { text })),
      openTab: async (url) => {
        const { handle } = (await command('POST', `${at}/window/new`, { type: 'tab' })) as {
          readonly handle: string
        }
        await command('POST', `${at}/window`, { handle })
        await open(url)
      },
      goToFirstTab: async () => void (await command('POST', `${at}/window`, { handle: first })),
      closeFirstTab: async () => {
        await command('POST', `${at}/window`, { handle: first })
        await command('DELETE', `${at}/window`)
        await command('POST', `${at}/window`, { handle: (await handles())[0] })
      },
      end: async () => {
        await command('DELETE', at).catch(() => undefined)
        stop()
      },
    }
  } catch (error) {
    stop()
    throw error
  }
}
