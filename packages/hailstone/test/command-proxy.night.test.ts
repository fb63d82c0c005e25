import { spawn, spawnSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { walletFromPrivateKey } from '@hailstone/client'
import { type LocalNetwork, startLocalNetwork } from '@hailstone/local-network'
import { sha256Hex } from '@hailstone/protocol'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { until } from '../../mining-node/test/until.ts'

const bin = fileURLToPath(new URL('../dist/bin.js', import.meta.url))
const key = sha256Hex('key behind the proxy')
const { address } = walletFromPrivateKey(key)

const ROOM = `hailstone-${process.pid}`
const [INNER, OUTER] = [`hi${process.pid}`, `ho${process.pid}`]
/** The room has a line to the first address, where the proxy listens. The network has the second, without a way there. */
const [PROXY, NETWORK] = ['10.231.17.1', '10.231.18.1']
const PROXY_PORT = 18_888

const run = (...words: readonly string[]): boolean =>
  spawnSync(words[0] as string, words.slice(1), { stdio: 'ignore' }).status === 0

const hasTinyproxy = !spawnSync('tinyproxy', ['-v'], { stdio: 'ignore' }).error
const canIsolate = hasTinyproxy && run('ip', 'netns', 'add', ROOM) && run('ip', 'netns', 'del', ROOM)

describe.runIf(canIsolate)('a proxy that is the only way out (tinyproxy, ip netns)', () => {
  let network: LocalNetwork
  let folder = ''
  let proxy: ReturnType<typeof spawn>
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'hailstone-proxy-'))
    run('ip', 'netns', 'add', ROOM)
    run('ip', 'link', 'add', OUTER, 'type', 'veth', 'peer', 'name', INNER)
    run('ip', 'link', 'set', INNER, 'netns', ROOM)
    run('ip', 'addr', 'add', `${PROXY}/24`, 'dev', OUTER)
    run('ip', 'addr', 'add', `${NETWORK}/32`, 'dev', 'lo')
    run('ip', 'link', 'set', OUTER, 'up')
    run('ip', '-n', ROOM, 'addr', 'add', '10.231.17.2/24', 'dev', INNER)
    run('ip', '-n', ROOM, 'link', 'set', INNER, 'up')
    run('ip', '-n', ROOM, 'link', 'set', 'lo', 'up')
    network = await startLocalNetwork({ seed: 'proxy', blockTimeMs: 500, host: NETWORK })
    await network.control.fund(address, 1_000n * 10n ** 10n)
    writeFileSync(join(folder, 'key'), `${key}\n`, { mode: 0o600 })
    proxy = await startProxy(PROXY_PORT)
  })

  /** Starts a proxy whose log is the file `PORT.log`. */
  async function startProxy(port: number, more = ''): Promise<ReturnType<typeof spawn>> {
    const [log, conf] = [join(folder, `${port}.log`), join(folder, `${port}.conf`)]
    const settings = `Port ${port}\nListen ${PROXY}\nTimeout 600\nMaxClients 50\nAllow 10.231.17.0/24\nLogFile "${log}"\nLogLevel Connect\n${more}`
    writeFileSync(conf, settings)
    rmSync(log, { force: true })
    const started = spawn('tinyproxy', ['-d', '-c', conf], { stdio: 'ignore' })
    await until(() => readFileSync(log, 'utf8').includes('Accepting'), 'the proxy listens', 10_000).catch(
      () => undefined,
    )
    return started
  }

  afterAll(async () => {
    proxy?.kill()
    await network?.stop()
    run('ip', 'netns', 'del', ROOM)
    run('ip', 'addr', 'del', `${NETWORK}/32`, 'dev', 'lo')
    rmSync(folder, { recursive: true, force: true })
  })

  function start(words: readonly string[], environment: Readonly<Record<string, string>>) {
    const data = join(folder, randomUUID())
    mkdirSync(data)
    const child = spawn('ip', ['netns', 'exec', ROOM, process.execPath, bin, ...words], {
      env: { PATH: process.env.PATH ?? '', HOME: folder, HAILSTONE_DATA: data, ...environment },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    let said = ''
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (chunk) => {
        said += String(chunk)
      })
    const end = async (): Promise<void> => {
      child.kill('SIGKILL')
      await once(child, 'close')
    }
    return { said: () => said, end }
  }

  it.each([
    ['mine', '--key-file'],
    ['fleet', '--keys-file'],
  ])(
    'carries %s to a block, the questions to the API and the session with the gateway',
    async (command, option) => {
      const where = ['--api', network.apiUrl, '--gateway', network.gatewayUrl, '--block-time', '500ms']
      const words = [command, ...where, option, join(folder, 'key'), '--allow-insecure', '--json']
      const through = start(words, { HTTP_PROXY: `http://${PROXY}:${PROXY_PORT}` })
      await until(() => through.said().includes('"event":"included"'), through.said, 60_000)
      await through.end()
      const log = readFileSync(join(folder, `${PROXY_PORT}.log`), 'utf8')
      expect(log).toContain(`CONNECT ${new URL(network.gatewayUrl).host}`)
      expect(log).toContain(`CONNECT ${new URL(network.apiUrl).host}`)
    },
  )

  it('takes name and password, and mine is back by itself after its death in the middle', async () => {
    const port = PROXY_PORT + 1
    const where = ['--api', network.apiUrl, '--gateway', network.gatewayUrl, '--block-time', '500ms']
    let own = await startProxy(port, 'BasicAuth me secret\n')
    const words = ['mine', ...where, '--key-file', join(folder, 'key'), '--allow-insecure', '--json']
    const miner = start(words, { HTTP_PROXY: `http://me:secret@${PROXY}:${port}` })
    const included = () => miner.said().split('"event":"included"').length - 1
    await until(() => included() > 0, miner.said, 60_000)
    own.kill('SIGKILL')
    await until(() => miner.said().includes(`at the proxy ${PROXY}:${port}`), miner.said, 60_000)
    const before = included()
    own = await startProxy(port, 'BasicAuth me secret\n')
    await until(() => included() > before, miner.said, 90_000)
    await miner.end()
    own.kill()
    expect(miner.said()).not.toContain('secret')
  })

  it('is named where it is away', async () => {
    const where = ['--gateway', network.gatewayUrl, '--token', '0'.repeat(64), '--allow-insecure']
    const away = start(['mine', ...where, '--key-file', join(folder, 'key')], {
      HTTP_PROXY: `http://${PROXY}:1`,
    })
    await until(() => away.said().includes(`at the proxy ${PROXY}:1`), away.said, 60_000)
    await away.end()
  })
})
