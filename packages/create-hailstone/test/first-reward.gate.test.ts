// The templates without a page, made and run with the packages of this repository: from an empty wallet to the first
// reward. Those with a page walk in a browser, beside the app of brands.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { createServer as createHttpServer } from 'node:http'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, expect, it } from 'vitest'

const file = (path: string): string => fileURLToPath(new URL(path, import.meta.url))
const parent = mkdtempSync(join(tmpdir(), 'hailstone-first-'))
afterAll(() => rmSync(parent, { recursive: true, force: true }))

/** Ends a run that hangs; says nothing about how fast a miner is. */
const LIMIT_MS = 120_000

/** Makes a project; its packages are those that the template has here. */
let projects = 0

function create(template: string): string {
  const name = `${template}-${++projects}`
  const words = [file('../dist/bin.js'), name, '--template', template, '--no-install', '--no-git', '--yes']
  const { status, stderr } = spawnSync(process.execPath, words, { cwd: parent, encoding: 'utf8' })
  expect([status, stderr]).toStrictEqual([0, ''])
  const folder = join(parent, name)
  symlinkSync(file(`../templates/${template}/node_modules`), join(folder, 'node_modules'))
  return folder
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as { readonly port: number }
  server.close()
  return port
}

/** Resolves to what was printed once it has these words; rejects when the program ends before. */
function printed(child: ChildProcess, words: RegExp): Promise<string> {
  let text = ''
  return new Promise((resolve, reject) => {
    const take = (chunk: Buffer): void => {
      text += chunk
      if (words.test(text)) resolve(text)
    }
    child.stdout?.on('data', take)
    child.stderr?.on('data', take)
    child.on('close', (code) => reject(new Error(`ended with ${code} and printed:\n${text}`)))
  })
}

/**
 * Runs `src/dev.ts` of a project until it printed a first reward, and ends it as Ctrl-C does. It is compiled first, so
 * that every Node can run it without a loader.
 *
 * @param meanwhile is awaited in between
 */
async function runDev(
  template: string,
  words: RegExp,
  env: NodeJS.ProcessEnv = {},
  meanwhile: (at: { readonly cwd: string; readonly env: NodeJS.ProcessEnv }) => Promise<void> = async () =>
    undefined,
): Promise<void> {
  const cwd = create(template)
  const emit = [
    '--noEmit',
    'false',
    '--rewriteRelativeImportExtensions',
    '--rootDir',
    'src',
    '--outDir',
    'made',
  ]
  const compiler = file(`../templates/${template}/node_modules/typescript/bin/tsc`)
  const compiled = spawnSync(process.execPath, [compiler, ...emit], { cwd, encoding: 'utf8' })
  expect([compiled.status, compiled.stdout]).toStrictEqual([0, ''])
  const at = { cwd, env: { ...process.env, ...env } }
  const child = spawn(process.execPath, ['made/dev.js'], at)
  try {
    expect(await printed(child, words)).toMatch(words)
    await meanwhile(at)
    const closed = once(child, 'close')
    child.kill('SIGINT')
    expect((await closed)[0]).toBe(0)
  } finally {
    child.kill('SIGKILL')
  }
}

it('node: prints its first reward', { timeout: LIMIT_MS }, () =>
  runDev('node', /^reward +[\d.]+ DEV in block \d+$/m),
)

it('bot: sends a webhook of its first reward, and pays an order once', { timeout: LIMIT_MS }, async () => {
  const [api, gateway, webhook, health] = await Promise.all([freePort(), freePort(), freePort(), freePort()])
  const env = {
    HAILSTONE_API: `http://127.0.0.1:${api}/api/v1`,
    HAILSTONE_GATEWAY: `ws://127.0.0.1:${gateway}`,
    WEBHOOK_URL: `http://127.0.0.1:${webhook}/hailstone`,
    HEALTH_PORT: String(health),
  }
  const receiver = '031b84c5567b126440995d3ed5aaba0565d71e1834604819ff9c17f5e9d5dd078f'
  await runDev('bot', /^webhook .*"type":"rewarded"/m, env, async (at) => {
    const pay = ['made/pay.js', receiver]
    for (const [words, code, said] of [
      [[...pay, '2', ''], 2, /^Usage:/],
      [[...pay, '2', ' '], 2, /^Usage:/],
      [[...pay, '2', 'order-1'], 0, /^order order-1 is confirmed/m],
      [[...pay, '2', 'order-1'], 0, /^order order-1 is confirmed/m],
      [[...pay, '900000', 'order-2'], 1, /^PAYMENT_HOPELESS: .* Nothing was signed\.\n$/m],
      // A second one finds the ports of the first one taken.
      [
        ['made/dev.js'],
        1,
        /^Port \d+ of 127\.0\.0\.1 .*take other ports:\nHAILSTONE_API=\S+ .*npm run dev\n$/,
      ],
    ] as const) {
      const child = spawn(process.execPath, words, at)
      let text = ''
      for (const stream of [child.stdout, child.stderr])
        stream.on('data', (chunk) => {
          text += chunk
        })
      expect([await once(child, 'close'), text]).toStrictEqual([[code, null], expect.stringMatching(said)])
    }
    const answer = await fetch(`${env.HAILSTONE_API}/account_transactions?id=${receiver}&page=0`)
    expect(((await answer.json()) as { readonly records: readonly unknown[] }).records).toHaveLength(1)
  })
})

/** Runs a second bot beside the network of the first one, until it printed words. */
async function runSecondBot(
  { cwd, env }: { readonly cwd: string; readonly env: NodeJS.ProcessEnv },
  more: NodeJS.ProcessEnv,
  words: RegExp,
): Promise<void> {
  const DATA_FOLDER = `.data/second-${Object.keys(more).join('-')}`
  const given = { ...env, ...more, DATA_FOLDER, HEALTH_PORT: String(await freePort()) }
  const child = spawn(process.execPath, ['made/start.js'], { cwd, env: given })
  try {
    expect(await printed(child, words)).toMatch(words)
  } finally {
    child.kill('SIGKILL')
  }
}

it('bot: names a receiver that refuses, and mines without faucet and API', {
  timeout: LIMIT_MS,
}, async () => {
  const [api, gateway, webhook, health] = await Promise.all([freePort(), freePort(), freePort(), freePort()])
  const env = {
    HAILSTONE_API: `http://127.0.0.1:${api}/api/v1`,
    HAILSTONE_GATEWAY: `ws://127.0.0.1:${gateway}`,
    WEBHOOK_URL: `http://127.0.0.1:${webhook}/hailstone`,
    HEALTH_PORT: String(health),
  }
  const refusing = createHttpServer((_, response) => response.writeHead(401).end()).listen(0, '127.0.0.1')
  await once(refusing, 'listening')
  const receiver = `http://127.0.0.1:${(refusing.address() as AddressInfo).port}`
  await runDev('bot', /^webhook .*"type":"rewarded"/m, env, async (at) => {
    await runSecondBot(at, { WEBHOOK_URL: `${receiver}/x` }, new RegExp(`${receiver} answers 401`))
    const gone = `http://127.0.0.1:${await freePort()}/api/v1`
    await runSecondBot(at, { HAILSTONE_API: gone }, /^no test coins: /m)
  })
  refusing.close()
})

it('test: its tests see a first reward', { timeout: LIMIT_MS }, () => {
  const { status, stdout, stderr } = spawnSync('npm', ['test', '--silent'], {
    cwd: create('test'),
    encoding: 'utf8',
    env: { ...process.env, CI: '1', NO_COLOR: '1' },
  })
  expect([status, stdout + stderr]).toStrictEqual([0, expect.stringMatching(/Tests {2}\d+ passed/)])
})
