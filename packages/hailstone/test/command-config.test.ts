import { execFileSync, spawn } from 'node:child_process'
import { chmod, mkdir, open, symlink, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { sha256Hex } from '@hailstone/protocol'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { until } from '../../mining-node/test/until.ts'
import { runCommand } from '../src/run-command.ts'
import { type CommandWorld, createCommandWorld } from './command-child.ts'

const canary = sha256Hex('canary of the configuration')
const phrase = 'abandon ability able about above absent absorb abstract absurd abuse access accident'

let world: CommandWorld
beforeAll(async () => {
  world = await createCommandWorld()
})
afterAll(() => world[Symbol.asyncDispose]())

let files = 0
async function write(text: string | Buffer, ending = 'toml'): Promise<string> {
  const path = join(world.folder, `config-${files++}.${ending}`)
  await writeFile(path, text)
  return path
}

/** Runs a command in this process: most of what is asked here needs no other. */
async function run(args: readonly string[]) {
  const [out, err]: [string[], string[]] = [[], []]
  const unused = () => Promise.reject(new Error('nobody is asked'))
  const code = await runCommand(args, () => ({
    ...{ manner: 'plain', hasColours: false, columns: () => 80, rows: () => 24, environment: {} },
    write: (text) => void out.push(text),
    say: (line) => void out.push(line),
    tell: (facts) => void out.push(JSON.stringify(facts)),
    warn: (line) => void err.push(line),
    ...{ readInput: unused, askSecret: unused, ask: unused },
  }))
  return { code, out: out.join('\n'), err: err.join('\n') }
}

const check = async (text: string | Buffer, ending?: string) =>
  run(['config', 'check', await write(text, ending)])

describe('a configuration file', () => {
  it('is taken in TOML and in JSON, with the names of the long flags', async () => {
    const toml = `
network = "local"
api = ["http://127.0.0.1:1/api/v1", "http://127.0.0.1:2/api/v1"]
key-file = "miner.key"
health-port = 4420
block-time = "2s"
mine-below-stake = true
[webhook]
url = "https://bot.example/hooks/hailstone"
secret-file = "webhook.secret"
events = ["stopped", "rewarded"]
`
    expect(await check(toml)).toMatchObject({ code: 0, err: '' })
    const json = { network: 'local', 'health-port': '4420', gateway: 'ws://127.0.0.1:1' }
    expect(await check(JSON.stringify(json), 'json')).toMatchObject({ code: 0, err: '' })
    expect(await check(`\uFEFF${toml}`)).toMatchObject({ code: 0 })
  })

  it.each([
    ['helth-port = 1', 'Did you mean "health-port"?'],
    ['[webhok]\nurl = "https://x.example"', 'Did you mean "webhook"?'],
    ['[webhook]\nurl = "https://x.example"\nsecret-fil = "s"', 'Did you mean "secret-file"?'],
    [
      '[webhook]\nurl = "https://x.example"\nsecret-file = "s"\nevents = ["stoped"]',
      'Did you mean "stopped"?',
    ],
    ['network = "main"', 'one of: pulse, bit, local'],
    ['health-port = "many"', 'a port from 0 to 65535'],
    ['health-port = 1.5', 'a text or a whole number'],
    ['health-port = 99999999999999999999', 'this is not TOML'],
    ['supervise = "yes"', 'true or false'],
    ['block-time = "1 fortnight"', '100ms to 60m'],
    ['key-file = 7', 'a path'],
    ['api = [1]', 'a list of texts'],
    ['api = "a"\napi = "b"', 'line 2'],
    ['constructor = 1', 'There is no setting "constructor"'],
    ['__proto__ = 1', 'A key in the file is no setting'],
    ['health-port = 1\nhealth-listen = "0.0.0.0:1"', 'say the same thing'],
    ['health-listen = "somewhere"', 'a host and a port'],
    ['config = "other.toml"', 'There is no setting "config"'],
    ['to = "x"', 'There is no setting "to"'],
    ['[webhook]\nurl = "http://bot.example"\nsecret-file = "s"', 'plain http is for this machine alone'],
    ['[webhook]\nurl = "ftp://bot.example"\nsecret-file = "s"', 'begins with https://'],
    ['[webhook]\nurl = "https://x.example"', 'secret-file'],
    ['webhook = "https://x.example"', 'a table'],
    ['webhook = 2026-01-01', 'a table'],
    ['x', 'this is not TOML'],
    ['api = "javascript:alert(1)"', '"api" should be an address that begins with https:// or http://'],
    ['api = "ws://127.0.0.1:1"', '"api" should be an address that begins with https:// or http://'],
    ['api = ["https://a.example", "ftp://b.example"]', '"api" (address 2 of 2) should'],
    ['network = "local"\napi = "api.example"', '"api" should be an address that begins with'],
    ['api = ""', '"api" should be a text'],
    ['api = " "', '"api" should be an address without spaces'],
    ['api = "https://api.example "', '"api" should be an address without spaces'],
    ['api = "https://api.example/\\t"', '"api" should be an address without spaces'],
    ['api = "https://"', '"api" is not an address'],
    ['api = "http://127.0.0.1:99999"', '"api" is not an address'],
    ['api = "https://api.example?network=bit"', 'without query and fragment'],
    ['api = "http://api.example"', 'unless allow-insecure = true'],
    ['gateway = "http://127.0.0.1:1"', '"gateway" should be an address that begins with wss:// or ws://'],
    ['boot-node = "127.0.0.1:1"', '"boot-node" should be an address that begins with wss:// or ws://'],
    ['gateway = " ws://127.0.0.1:1"', '"gateway" should be an address without spaces'],
    ['upstream = "https://gateway.example"', '"upstream" should be an address that begins with wss://'],
    ['origin = "https://mine.example/"', '"origin" should be an origin such as https://mine.example'],
    ['origin = "*"', '"origin" should be an address that begins with https:// or http://'],
    ['token = "DEV"', '"token" should be the id of a token'],
    ['agent = "ref_1"', '"agent" should be a referral code'],
  ])('%j is refused: %s', async (text, why) => {
    const { code, err, out } = await check(text)
    expect([out, err]).toEqual(['', expect.stringContaining(why)])
    expect([2, 3]).toContain(code)
  })

  it('takes addresses as the commands do: capitals, queries of gateways, plain http where it is allowed', async () => {
    const taken = [
      'api = "HTTPS://API.example"',
      'api = "http://api.example"\nallow-insecure = true',
      'api = ["http://localhost:1", "http://[::1]:1/api/v1"]',
      'gateway = ["WS://gateway.example", "wss://gateway.example/mine?key=v"]',
      'upstream = "ws://127.0.0.1:1"\norigin = ["https://mine.example", "http://127.0.0.1:8080"]',
    ]
    for (const text of taken) expect(await check(text), text).toMatchObject({ code: 0, err: '' })
  })

  it('holds no secret: it is refused and never repeated, wherever it stands', async () => {
    const texts = [
      `key = "${canary}"`,
      `private-key = "${canary}"`,
      `network = "${canary}"`,
      `agent = "00${canary}"`,
      `"${canary}" = 1`,
      `${canary} = 1`,
      `key-file = "x\n${canary}`,
      `network = ${canary}`,
      `password = "${phrase}"`,
      `agent = "${phrase}"`,
      `api = ["https://user:${canary}@api.example"]`,
      `health-token = "${canary}"`,
      `[webhook]\nsecret = "${canary}"`,
      `[webhook]\nurl = "https://x.example"\nsecret-file = "whsec_${Buffer.from(canary).toString('base64')}"`,
      `[webhook]\nurl = "https://u:${canary}@x.example"\nsecret-file = "s"`,
      `[webhook]\n${canary} = 1`,
    ]
    for (const text of texts) {
      const { code, out, err } = await check(text)
      expect([code, out], text).toEqual([3, ''])
      expect(err, text).not.toContain(canary.slice(0, 12))
      expect(err, text).not.toContain('abandon')
    }
    const { code, err } = await check(`{"network": "${canary}`, 'json')
    expect([code, err.includes(canary.slice(0, 12))]).toEqual([3, false])
    // A token id has the form of a private key, but the setting `token` may hold one.
    expect(await check(`token = "${canary}"`)).toMatchObject({ code: 0 })
  })

  it('is a small file of text that not everybody can write, also behind links', async () => {
    const refused = async (path: string) => (await run(['config', 'check', path])).err
    expect(await refused(await write('x = '.repeat(30_000)))).toContain('longer than 65536 bytes')
    expect(await refused(await write(`api = ${'['.repeat(5_000)}`))).toContain('this is not TOML')
    expect(await refused(await write(Buffer.from([0x61, 0xff, 0xfe])))).toContain('not text in UTF-8')
    expect(await refused('/dev/zero.toml')).toContain('no such file')
    expect(await refused(await write('network = "local"', 'yaml'))).toContain('.toml or .json')
    expect(await refused(await write('[]', 'json'))).toContain('a table of settings')
    expect(await refused(await write('null', 'json'))).toContain('a table of settings')
    const device = join(world.folder, 'device.toml')
    await symlink('/dev/zero', device)
    expect(await refused(device)).toContain('is not a file')
    const folder = join(world.folder, 'folder.toml')
    await mkdir(folder)
    expect(await refused(folder)).toContain('is not a file')
    const loop = join(world.folder, 'loop.toml')
    await symlink(loop, loop)
    expect(await refused(loop)).toContain('cannot be opened')

    const path = await write('network = "local"')
    const link = join(world.folder, 'link.toml')
    await symlink(path, link)
    expect((await run(['config', 'check', link])).code).toBe(0)
    await chmod(path, 0o666)
    expect(await refused(link)).toContain('Everybody can write')
  })

  it('gives way to the environment, and that to flags', async () => {
    const config = await write(
      'api = "http://127.0.0.1:1/api/v1"\ngateway = "ws://127.0.0.1:1"\nkey-file = "nowhere.key"\njson = true',
    )
    // Its key file is looked for beside it.
    const missing = await world.run(['mine', '--config', config])
    expect(missing.code).toBe(4)
    expect(JSON.parse(missing.out)).toMatchObject({
      message: expect.stringContaining(join(world.folder, 'nowhere.key')),
    })
    // A flag that says the same in another way replaces it.
    const typed = await world.run(['mine', '--config', config, '--key-stdin'], { input: 'no key' })
    expect(JSON.parse(typed.out)).toMatchObject({ code: 'PRIVATE_KEY_MALFORMED' })
    const environment = { HAILSTONE_PRIVATE_KEY: 'no key either' }
    const variable = await world.run(['mine', '--config', config], { environment })
    expect(JSON.parse(variable.out)).toMatchObject({ code: 'PRIVATE_KEY_MALFORMED' })

    const bridge = await write(
      'upstream = "ws://127.0.0.1:9"\nlisten = "127.0.0.1:0"\nhealth-port = 1\njson = true',
    )
    const place = { HAILSTONE_HEALTH_LISTEN: '127.0.0.1:0' }
    const started = world.start(['bridge', '--config', bridge], { environment: place })
    const { healthPort } = await started.event('bridgeOpened')
    expect(healthPort).not.toBe(1)
    started.process.kill('SIGTERM')
    expect((await started.ended).code).toBe(0)
    const both = await world.run(['bridge', '--config', bridge, '--health-listen', 'nonsense'], {
      environment: place,
    })
    expect(JSON.parse(both.out)).toMatchObject({
      message: expect.stringContaining('--health-listen should be'),
    })
  })

  it('says whom to pay neither how much nor in which token', async () => {
    const config = await write(`token = "${canary}"\nnetwork = "local"`)
    const bare = await run(['send', '--config', config])
    expect([bare.code, bare.err]).toEqual([2, expect.stringContaining('--to is needed')])
  })

  it('is read again at SIGHUP: whole, or not at all', async () => {
    const token = await world.keyFile('token', 'first-token-of-24-characters')
    const text = (more: string) =>
      `upstream = "ws://127.0.0.1:9"\nlisten = "127.0.0.1:0"\nhealth-listen = "127.0.0.1:0"\nhealth-token-file = "token"\njson = true\n${more}`
    const config = await write(text(''))
    const bridge = world.start(['bridge', '--config', config])
    const { healthPort } = await bridge.event('bridgeOpened')
    const asked = async (bearer: string) =>
      (
        await fetch(`http://127.0.0.1:${healthPort}/readyz`, {
          headers: { authorization: `Bearer ${bearer}` },
        })
      ).status
    expect(await asked('first-token-of-24-characters')).toBe(200)
    const reloaded = async (event: string, count: number) => {
      bridge.process.kill('SIGHUP')
      const all = () => bridge.lines().filter((line) => line.event === event)
      await until(() => all().length === count, `${event} ${count}`)
      return all().at(-1)
    }

    await writeFile(token, 'second-token-of-24-characters\n')
    await writeFile(config, text('healthport = 1'))
    expect(await reloaded('configRefused', 1)).toMatchObject({
      message: expect.stringContaining('nothing changed'),
    })
    await writeFile(config, text('').replace('"token"', '"no such file"'))
    await reloaded('configRefused', 2)
    expect(await asked('first-token-of-24-characters')).toBe(200)
    expect(await asked('second-token-of-24-characters')).toBe(401)

    await writeFile(config, text('max-sessions = 5'))
    expect(await reloaded('configReloaded', 1)).toMatchObject({ afterRestart: ['max-sessions'] })
    expect(await asked('first-token-of-24-characters')).toBe(401)
    expect(await asked('second-token-of-24-characters')).toBe(200)
    bridge.process.kill('SIGTERM')
    expect((await bridge.ended).code).toBe(0)
    expect(await world.everything()).not.toContain('second-token')
  })

  it('is told of with day and zone in a log', async () => {
    const config = await write('upstream = "ws://127.0.0.1:9"\nlisten = "127.0.0.1:0"')
    const bridge = world.start(['bridge', '--config', config])
    await until(() => bridge.out().includes('bridge at'), 'it listens')
    bridge.process.kill('SIGHUP')
    const line = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d[+-]\d\d:\d\d {2}The configuration was read again\./m
    await until(() => line.test(bridge.err()), 'it is told')
  })

  it('is read again after a SIGHUP that comes while the process starts, and none ends it', async () => {
    const pipe = join(world.folder, 'key.pipe')
    execFileSync('sh', ['-c', `mkfifo -m 600 "${pipe}"`])
    const config = await write(
      'api = "http://127.0.0.1:9/api/v1"\ngateway = "ws://127.0.0.1:9"\nkey-file = "key.pipe"\nhealth-port = 0\njson = true',
    )
    const miner = world.start(['mine', '--config', config])
    // Opens when the miner waits for its key.
    const writer = await open(pipe, 'w')
    miner.process.kill('SIGHUP')
    await sleep(200)
    await writer.writeFile(`${sha256Hex('key of a pipe')}\n`)
    await writer.close()
    await miner.event('healthServed')
    expect(await miner.event('configReloaded')).toMatchObject({ afterRestart: [] })
    miner.process.kill('SIGTERM')
    miner.process.kill('SIGHUP')
    expect((await miner.ended).code).toBe(0)
  })

  it('names secrets that end: a pipe without an end is refused', async () => {
    const pipe = join(world.folder, 'endless.pipe')
    execFileSync('sh', ['-c', `mkfifo -m 600 "${pipe}"`])
    const config = await write(
      'health-listen = "127.0.0.1:0"\nhealth-token-file = "endless.pipe"\njson = true',
    )
    const bridge = world.start([
      'bridge',
      '--config',
      config,
      '--upstream',
      'ws://127.0.0.1:9',
      '--listen',
      '0',
    ])
    const writer = spawn('sh', ['-c', `exec yes > "${pipe}"`], { stdio: 'ignore' })
    const { out } = await bridge.ended
    writer.kill('SIGKILL')
    expect(out).toContain('too long')
  })

  it('has a schema that the package exports, and that is the one of the options', async () => {
    const { code, out } = await run(['config', 'schema'])
    expect(code).toBe(0)
    const exported: unknown = createRequire(import.meta.url)('hailstone/config.schema.json')
    expect(exported).toStrictEqual(JSON.parse(out))
  })
})
