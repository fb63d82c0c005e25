// Each template of `npm create hailstone`: created, installed, and run to a first reward or a passing test.
import { readdirSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { root } from '../bootstrap.mjs'
import { ensureBrowser, findBrowser } from '../browser.mjs'
import { commandsOf, published } from './commands.mjs'
import { measureMachineTime } from './machine-time.mjs'
import { assertQuiet, emptyFolder, finish, follow, freePort, newUser, npm, timed } from './new-user.mjs'

/** Creates a project in an empty folder with a home that no other has used, and installs it as its README says. */
async function created(template, port) {
  const env = newUser(port)
  const folder = emptyFolder()
  const words = [
    'create',
    'hailstone@latest',
    'mine',
    '--',
    '--template',
    template,
    '--no-install',
    '--no-git',
  ]
  assertQuiet(await finish(npm, words, { cwd: folder, env }))
  const cwd = join(folder, 'mine')
  const [install, dev] = commandsOf(join(cwd, 'README.md'))
  const at = { cwd, env, shell: true }
  assertQuiet(await finish(install, [], at))
  return { ...at, dev }
}

/** From an empty folder, all cold. */
const FIRST_REWARD_WITHIN_S = 60

/** As somebody begins who has no clone. */
async function node(port) {
  const at = { cwd: emptyFolder(), env: newUser(port), shell: true }
  const create = published('--template node')
  const run = 'cd my-miner && npm run dev'
  const startedAt = performance.now()
  const machineTime = measureMachineTime()
  assertQuiet(await finish(create, [], at))
  const dev = follow(run, [], at)
  const reward = await dev.line((line) => line.startsWith('reward '))
  const seconds = (performance.now() - startedAt) / 1000
  const machineSeconds = machineTime(dev.group)
  await dev.end({ isRepeated: true })
  if (machineSeconds > FIRST_REWARD_WITHIN_S)
    throw new Error(`the first reward took ${machineSeconds} s of machine time`)
  await finish('cd my-miner && npm run typecheck', [], at)
  const machine = machineSeconds === undefined ? 'not known here' : `${machineSeconds.toFixed(1)} s`
  return `${reward.replace(/\s+/g, ' ')} after ${seconds.toFixed(1)} s, machine time ${machine}`
}

async function test(port) {
  const at = await created('test', port)
  const printed = await finish(at.dev, [], at)
  await finish(npm, ['run', 'typecheck'], at)
  return /\d+ passed/.exec(printed.slice(printed.lastIndexOf('Tests')))?.[0]
}

const webhooksIn = (lines, type) =>
  lines.filter((line) => /^webhook /.test(line) && line.includes(`"${type}"`))

async function bot(port) {
  const at = await created('bot', port)
  const [api, gateway, webhook, health] = await Promise.all([0, 0, 0, 0].map(freePort))
  const env = {
    ...at.env,
    HAILSTONE_API: `http://127.0.0.1:${api}/api/v1`,
    HAILSTONE_GATEWAY: `ws://127.0.0.1:${gateway}`,
    WEBHOOK_URL: `http://127.0.0.1:${webhook}/hailstone`,
    HEALTH_PORT: String(health),
  }
  const dev = follow(at.dev, [], { ...at, env })
  await dev.line((line) => webhooksIn([line], 'rewarded').length === 1)
  const { isLive } = await (await fetch(`http://127.0.0.1:${health}/health`)).json()
  if (!isLive) throw new Error('the bot is not well')
  const forged = await fetch(env.WEBHOOK_URL, { method: 'POST', body: '{"type":"rewarded"}' })
  if (forged.status !== 401) throw new Error(`a webhook without a signature is answered ${forged.status}`)
  const receiver = '031b84c5567b126440995d3ed5aaba0565d71e1834604819ff9c17f5e9d5dd078f'
  const pay = () => finish(npm, ['run', 'pay', '--', receiver, '2', 'order-1'], { ...at, env })
  for (const attempt of [1, 2])
    if (!(await pay()).includes('order-1 is confirmed'))
      throw new Error(`payment ${attempt} is not confirmed`)
  const lines = (await dev.end({ isRepeated: true })).split('\n')
  const rewards = webhooksIn(lines, 'rewarded')
  if (new Set(rewards).size !== rewards.length) throw new Error(`a reward came twice:\n${rewards.join('\n')}`)
  if (webhooksIn(lines, 'stopped').length !== 1) throw new Error(`no end of mining:\n${lines.join('\n')}`)
  await finish(npm, ['run', 'typecheck'], at)
  return `${rewards.length} rewards, 1 stop, once each; 1 payment`
}

/** Opens the page, presses its button and waits for the first reward on it. */
async function rewardOn(url) {
  const { chromium } = createRequire(join(root, 'packages/test-browser/package.json'))('playwright-core')
  const browser = await chromium.launch({
    executablePath: findBrowser(),
    args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking'],
  })
  try {
    const page = await browser.newPage()
    const faults = []
    page.on('pageerror', (error) => faults.push(error.message))
    await page.goto(url)
    await page.getByRole('button', { name: 'Start mining' }).click()
    const reward = await page.getByRole('listitem').first().textContent({ timeout: 120_000 })
    if (faults.length > 0) throw new Error(`the page threw: ${faults.join('; ')}`)
    return reward
  } finally {
    await browser.close()
  }
}

async function pageOf(template, port) {
  const at = await created(template, port)
  await finish(npm, ['run', 'build'], at)
  if (!readdirSync(join(at.cwd, 'dist')).includes('index.html')) throw new Error('the build has no page')
  const dev = follow(at.dev, [], at)
  const line = await dev.line((one) => one.startsWith('page '))
  const reward = await rewardOn(line.split(/\s+/)[1])
  await dev.end({ isRepeated: true })
  await finish(npm, ['run', 'typecheck'], at)
  return reward
}

/** Two at a time: each waits for blocks about as long as it computes. */
export async function rehearseTemplates(port) {
  ensureBrowser()
  const one = (name, work) => timed(`npm create hailstone: ${name}`, () => work(port))
  await one('node', node)
  await Promise.all([
    one('test', test).then(() => one('react', () => pageOf('react', port))),
    one('bot', bot).then(() => one('page', () => pageOf('page', port))),
  ])
}
