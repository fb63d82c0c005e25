import { spawnSync } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { networkInterfaces } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { createCommandWorld } from './command-child.ts'

const TOKEN = 'a-token-of-more-than-24-characters'

const hasIpv6 = networkInterfaces().lo?.some(({ address }) => address === '::1') === true

describe('hailstone health', () => {
  it('ends with 0, 9 or 8, and shows no token', async () => {
    await using world = await createCommandWorld()
    const file = await world.keyFile('token', TOKEN)
    const listen = ['--health-listen', '0.0.0.0:0', '--health-token-file', file]
    const started = world.start([
      'bridge',
      '--upstream',
      'ws://127.0.0.1:9',
      '--listen',
      '0',
      ...listen,
      '--json',
    ])
    const { healthPort } = await started.event('bridgeOpened')
    const url = `http://127.0.0.1:${healthPort}`
    const ready = await world.run(['health', url, '--health-token-file', file, '--json'])
    expect([ready.code, JSON.parse(ready.out)]).toMatchObject([0, { isReady: true }])

    const place = { HAILSTONE_HEALTH_LISTEN: `0.0.0.0:${healthPort}`, HAILSTONE_HEALTH_TOKEN_FILE: file }
    expect(await world.run(['health'], { environment: place })).toMatchObject({ code: 0 })
    // As images ask: without the token, and not whether it is ready.
    const live = await world.run(['health', '/livez'], {
      environment: { HAILSTONE_HEALTH_LISTEN: `0.0.0.0:${healthPort}` },
    })
    expect(live).toMatchObject({ code: 0, out: 'live\n' })

    const locked = await world.run(['health', url])
    expect([locked.code, locked.err]).toEqual([8, expect.stringContaining('wants a token')])
    const wrong = await world.keyFile('wrong', `${TOKEN}x`)
    expect((await world.run(['health', url, '--health-token-file', wrong])).err).toContain('another token')

    started.process.kill('SIGTERM')
    expect((await started.ended).code).toBe(0)
    expect(await world.run(['health', url])).toMatchObject({ code: 8 })
    expect(await world.everything()).not.toContain(TOKEN)
  })

  it.runIf(hasIpv6)('answers on IPv6, and wants a token where other machines can ask', async () => {
    await using world = await createCommandWorld()
    const file = await world.keyFile('token', TOKEN)
    const bridge = ['bridge', '--upstream', 'ws://127.0.0.1:9', '--listen', '0', '--json', '--health-listen']
    const own = world.start([...bridge, '[::1]:0'])
    const { healthPort } = await own.event('bridgeOpened')
    expect(await world.run(['health', `http://[::1]:${healthPort}`])).toMatchObject({ code: 0 })
    const place = { HAILSTONE_HEALTH_LISTEN: `[::1]:${healthPort}` }
    expect(await world.run(['health'], { environment: place })).toMatchObject({ code: 0 })

    const open = await world.run([...bridge, '[::]:0'])
    expect([open.code, open.out + open.err]).toEqual([2, expect.stringContaining('can reach [::]')])
    const shared = world.start([...bridge, '[::]:0', '--health-token-file', file])
    const url = `http://[::1]:${(await shared.event('bridgeOpened')).healthPort}`
    expect(await world.run(['health', url])).toMatchObject({ code: 8 })
    expect(await world.run(['health', url, '--health-token-file', file])).toMatchObject({ code: 0 })
  })

  it('is not kept waiting, led elsewhere or flooded', async () => {
    await using world = await createCommandWorld()
    let asked = 0
    const server = createServer((request, response) => {
      asked++
      if (request.url === '/redirect') response.writeHead(302, { location: '/ready' }).end()
      else if (request.url === '/flood') {
        const more = (): boolean => {
          while (response.write('x'.repeat(65_536)));
          return response.once('drain', more) !== undefined
        }
        more()
      } else if (request.url === '/slow') setInterval(() => response.write('x'), 200).unref()
      else response.writeHead(503).end('{"code":"\\u001b[31mGATEWAY_LOST","why":"It is away."}')
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    try {
      const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
      const notReady = await world.run(['health', `${url}/readyz`])
      expect([notReady.code, notReady.out]).toEqual([9, expect.stringContaining('It is away.')])
      expect(notReady.out).not.toContain('\u001b')
      for (const path of ['/redirect', '/flood', '/slow'])
        expect((await world.run(['health', url + path])).code, path).toBe(8)
      expect(asked).toBe(4)
    } finally {
      server.closeAllConnections()
      server.close()
    }
  })

  it('sends no token in the open, and takes no address that it cannot read', async () => {
    await using world = await createCommandWorld()
    for (const url of ['http://miner.example:4420', 'http://u:p@localhost:1', 'file:///etc/passwd', 'miner'])
      expect((await world.run(['health', url])).code, url).toBe(2)
  })
})

describe('--health-listen', () => {
  it('needs a token where other machines can ask, and a file that nobody else can read', async () => {
    await using world = await createCommandWorld()
    const bridge = [
      'bridge',
      '--upstream',
      'ws://127.0.0.1:9',
      '--listen',
      '0',
      '--health-listen',
      '0.0.0.0:0',
    ]
    const bare = await world.run(bridge)
    expect([bare.code, bare.err]).toEqual([2, expect.stringContaining('--health-token-file')])
    const open = await world.keyFile('open', TOKEN, 0o644)
    expect((await world.run([...bridge, '--health-token-file', open])).code).toBe(4)
    const short = await world.keyFile('short', 'too-short')
    const refused = await world.run([...bridge, '--health-token-file', short])
    expect([refused.code, refused.err.includes('too-short')]).toEqual([2, false])
    const both = await world.run([...bridge, '--health-port', '0'])
    expect(both.code).toBe(2)
  })
})

const apart = ['-m', '-n', 'sh', '-c']
const canLive =
  spawnSync('unshare', [...apart, 'ip link set lo up && ip addr add 10.9.9.9/32 dev lo']).status === 0

describe.runIf(canLive)('--health-listen with a name (unshare)', () => {
  it('needs a token where the name means an address that other machines reach', async () => {
    await using world = await createCommandWorld()
    const hosts = join(world.folder, 'hosts')
    await writeFile(hosts, '127.0.0.1 localhost\n10.9.9.9 inner.localhost\n')
    const bin = fileURLToPath(new URL('../dist/bin.js', import.meta.url))
    const words = `bridge --upstream ws://127.0.0.1:9 --listen 0 --health-listen inner.localhost:0`
    const script = `ip link set lo up && ip addr add 10.9.9.9/32 dev lo && mount --bind ${hosts} /etc/hosts && timeout 20 ${process.execPath} ${bin} ${words}`
    const { status, stderr } = spawnSync('unshare', [...apart, script], {
      encoding: 'utf8',
      env: { PATH: process.env.PATH ?? '', HOME: world.folder },
    })
    expect([status, stderr]).toEqual([3, expect.stringContaining('10.9.9.9')])
  })
})
