import { type ChildProcess, spawn } from 'node:child_process'
import { createHmac, randomBytes } from 'node:crypto'
import { copyFile, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createWallet, signIn } from '@hailstone/client'
import { type LocalNetwork, startLocalNetwork } from '@hailstone/local-network'
import { transform } from 'esbuild'
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'

const here = fileURLToPath(new URL('../', import.meta.url))
const root = fileURLToPath(new URL('../../../', import.meta.url))

let network: LocalNetwork
let folder: string
beforeAll(async () => {
  network = await startLocalNetwork({ seed: 'snippets', blockTimeMs: 600 })
  folder = await mkdtemp(join(tmpdir(), 'hailstone-snippets-'))
  await symlink(join(here, 'node_modules'), join(folder, 'node_modules'))
  await writeFile(join(folder, 'package.json'), '{ "type": "module" }')
})
afterAll(async () => {
  await network?.stop()
  await rm(folder, { recursive: true, force: true })
})

const children: ChildProcess[] = []
afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL')
})

type Run = {
  readonly child: ChildProcess
  readonly output: () => string
  readonly exit: Promise<number | null>
}

/** Runs a snippet as a reader does: as a program of its own, on this version of Node. */
async function runSnippet(name: string, env: Readonly<Record<string, string>> = {}): Promise<Run> {
  const source = await readFile(join(here, 'snippets', name), 'utf8')
  const { code } = await transform(source, { loader: 'ts', format: 'esm', target: 'node20' })
  const file = join(folder, name.replace(/\.ts$/, '.mjs'))
  await writeFile(file, code)
  const child = spawn(process.execPath, [file], {
    env: { ...process.env, HAILSTONE_API: network.apiUrl, HAILSTONE_GATEWAY: network.gatewayUrl, ...env },
  })
  children.push(child)
  let printed = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on('data', (chunk: Buffer) => {
      printed += chunk.toString()
    })
  }
  const exit = new Promise<number | null>((resolve) => child.once('exit', resolve))
  return { child, output: () => printed, exit }
}

async function until(isSo: () => boolean, what: () => string): Promise<void> {
  for (const startedAt = Date.now(); !isSo(); ) {
    if (Date.now() - startedAt > 240_000) throw new Error(`not in time: ${what()}`)
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}

/** Returns the output that a page shows for a snippet, as a pattern in which figures may be others. */
async function shownOutput(page: string, name: string): Promise<RegExp> {
  const text = await readFile(join(root, 'docs', page), 'utf8')
  const [, after = ''] = text.split(`<!-- output: apps/docs/snippets/${name} -->\n\`\`\`text\n`)
  const [shown = ''] = after.split('```')
  const lines = shown.trim().split('\n')
  expect(lines[0]).not.toBe('')
  const pattern = lines.map((line) =>
    line.replace(/[.*+?^${}()|[\]\\]/g, (sign) => `\\${sign}`).replace(/\d+/g, () => '\\d+'),
  )
  return new RegExp(`^${pattern.join('\n')}$`, 'm')
}

it('first reward: prints what the tutorial shows, and ends', async () => {
  const { exit, output } = await runSnippet('first-reward.ts')
  expect(await exit, output()).toBe(0)
  expect(output()).toMatch(/^mining with 0[23][0-9a-f]{64}\nearned [\d.]+ coins in block \d+\n$/)
  expect(await readFile(join(root, 'docs/tutorials/1-first-reward.md'), 'utf8')).toMatch(
    /mining with 02…\nearned [\d.]+ coins in block \d+\n/,
  )
})

it('handle errors: prints what the page shows', async () => {
  const { exit, output } = await runSnippet('handle-errors.ts')
  expect(await exit, output()).toBe(0)
  expect(output()).toMatch(await shownOutput('how-to/handle-errors.md', 'handle-errors.ts'))
})

it('sign elsewhere: a miner without a key earns', async () => {
  const { exit, output } = await runSnippet('remote-signer.ts')
  expect(await exit, output()).toBe(0)
  expect(output()).toMatch(await shownOutput('how-to/sign-elsewhere.md', 'remote-signer.ts'))
})

async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  await new Promise((resolve) => server.close(resolve))
  if (address === null || typeof address === 'string') throw new Error('no port')
  return address.port
}

it('bot: a reward reaches the receiver, also one that was down, and strangers are refused', async () => {
  const port = await freePort()
  const url = `http://127.0.0.1:${port}/`
  const bot = await runSnippet('bot.ts', { WEBHOOK_URL: url, WEBHOOK_SECRET: 'of the test' })
  // The first reward may come before there is a receiver: it is sent again.
  const receiver = await runSnippet('receiver.ts', { PORT: String(port), WEBHOOK_SECRET: 'of the test' })
  await until(
    () => receiver.output().includes('"type":"reward"'),
    () => bot.output() + receiver.output(),
  )
  expect(receiver.output()).toMatch(await shownOutput('tutorials/4-a-bot-with-webhooks.md', 'receiver.ts'))
  const headers = { 'webhook-id': '1', 'webhook-timestamp': '1', 'webhook-signature': 'v1,AAAA' }
  expect((await fetch(url, { method: 'POST', body: '{}', headers })).status).toBe(401)
  bot.child.kill('SIGTERM')
  expect(await bot.exit).toBe(0)
  await until(
    () => receiver.output().includes('"type":"stopped"'),
    () => receiver.output(),
  )
})

it('verify webhook: takes what is signed as the standard has it, and nothing else', async () => {
  const { eventOf } = await import(/* @vite-ignore */ join(here, 'snippets', 'verify-webhook.ts'))
  const key = randomBytes(32)
  const secret = `whsec_${key.toString('base64')}`
  const body = '{"type":"rewarded","data":{"amount":"1"}}'
  const seconds = String(Math.floor(Date.now() / 1000))
  const signature = createHmac('sha256', key).update(`id-1.${seconds}.${body}`).digest('base64')
  const headers = {
    'webhook-id': 'id-1',
    'webhook-timestamp': seconds,
    'webhook-signature': `v1,${signature}`,
  }
  expect(eventOf({ body, headers, secret })).toMatchObject({ type: 'rewarded' })
  expect(() => eventOf({ body: body.replace('1', '2'), headers, secret })).toThrow()
  expect(() => eventOf({ body, headers: { ...headers, 'webhook-timestamp': '1' }, secret })).toThrow()
})

it('sign in: the server asks the app, and takes the answer of the browser that it asked, once', async () => {
  const port = await freePort()
  const server = await runSnippet('sign-in-server.ts', { PORT: String(port) })
  const at = `http://127.0.0.1:${port}/sign-in`
  const asked = () => fetch(at, { redirect: 'manual' })
  let first: Response | undefined
  while (first === undefined && server.child.exitCode === null) first = await asked().catch(() => undefined)
  const requestOf = (answer: Response | undefined) => {
    const { hash } = new URL(answer?.headers.get('location') ?? '')
    const link = new URLSearchParams(hash.slice(hash.indexOf('?') + 1))
    const cookie = answer?.headers.get('set-cookie')?.split(';')[0] ?? ''
    return { nonce: link.get('nonce') ?? '', page: link.get('page'), cookie }
  }
  const wallet = createWallet()
  const send = (proof: object, cookie: string) =>
    fetch(at, { method: 'POST', headers: { cookie }, body: JSON.stringify(proof) }).then(
      ({ status }) => status,
    )
  const { nonce, page, cookie } = requestOf(first)
  expect(page).toBe('https://shop.example/signed-in')
  const proof = signIn({ wallet, host: 'shop.example', nonce })
  expect(await send(proof, requestOf(await asked()).cookie)).toBe(403)
  expect([await send(proof, cookie), await send(proof, cookie)]).toEqual([200, 403])
  const other = requestOf(await asked())
  // What another host of the domain may set has no prefix.
  const planted = requestOf(await asked())
  const name = planted.cookie.replace('__Host-', '')
  expect(await send(signIn({ wallet, host: 'shop.example', nonce: planted.nonce }), name)).toBe(403)
  const elsewhere = signIn({ wallet, host: 'other.example', nonce: other.nonce })
  expect(await send(elsewhere, other.cookie)).toBe(403)
})

it.each(['miner.test.ts', 'payment.test.ts'])(
  'tests with a local network: the test of the tutorial passes: %s',
  async (name) => {
    const vitest = join(here, 'node_modules/vitest/vitest.mjs')
    await copyFile(join(here, 'snippets', name), join(folder, name))
    const words = [vitest, 'run', '--root', folder, name]
    const child = spawn(process.execPath, words, { env: { ...process.env, VITEST: '' } })
    children.push(child)
    let printed = ''
    child.stdout.on('data', (chunk: Buffer) => {
      printed += chunk.toString()
    })
    expect(await new Promise((resolve) => child.once('exit', resolve)), printed).toBe(0)
    expect(printed).toMatch(/1 passed/)
  },
)
