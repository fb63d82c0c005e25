import { spawnSync } from 'node:child_process'
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { walletFromPrivateKey } from '@hailstone/client'
import { type LocalNetwork, startLocalNetwork } from '@hailstone/local-network'
import { sha256Hex } from '@hailstone/protocol'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { until } from '../../../packages/mining-node/test/until.ts'
import { withinMs } from '../../../scripts/strict-times.ts'
import { freePort, missingForStack, openStack, SERVICES, type Stack } from './compose-stack.ts'

type ImageScript = {
  readonly buildImages: () => readonly { readonly target: string; readonly compressed: number }[]
  readonly missingToRun: () => string | null
}

const script = new URL('../../../scripts/image.mjs', import.meta.url).href
const { buildImages, missingToRun } = (await import(/* @vite-ignore */ script)) as ImageScript

const COIN = 10n ** 10n
const KILLS = 50
const UID = 65532
const missing = missingToRun()
const key = sha256Hex('miner of the image')
const { address } = walletFromPrivateKey(key)

/** Options that docs/operations/container.md asks of every run, and the limits that a machine without systemd needs. */
const HARD = ['--read-only', '--cap-drop', 'all', '--security-opt', 'no-new-privileges']
const HERE = ['--runtime', 'runc', '--ulimit', 'nofile=20000:20000', '--ulimit', 'nproc=1000:1000']

function podman(...words: readonly string[]) {
  const { status, stdout, stderr } = spawnSync('podman', [...words], { encoding: 'utf8', timeout: 120_000 })
  return { status, out: stdout.trim(), said: `${stdout}${stderr}` }
}

let built: ReturnType<typeof buildImages> = []
beforeAll(() => {
  if (missing === null) built = buildImages()
})

const titled = (title: string, lack: string | null): string =>
  lack === null ? title : `${title} (left out: ${lack})`

describe.skipIf(missing !== null)(titled('images', missing), () => {
  let network: LocalNetwork
  let folder: string
  const names: string[] = []

  beforeAll(async () => {
    network = await startLocalNetwork({ seed: 'images', blockTimeMs: 600 })
    await network.control.fund(address, 1_000n * COIN)
    folder = mkdtempSync(join(tmpdir(), 'hailstone-images-'))
    chmodSync(folder, 0o755)
    writeFileSync(join(folder, 'key'), `${key}\n`, { mode: 0o400 })
    chownSync(join(folder, 'key'), UID, UID)
  })
  afterAll(async () => {
    for (const name of names) podman('rm', '-f', '-t', '0', name)
    rmSync(folder, { recursive: true, force: true })
    await network?.stop()
  })

  /** A folder of the machine that a container sees as /data. */
  function dataFolder(name: string, owner = UID): string {
    const path = join(folder, name)
    mkdirSync(path, { recursive: true, mode: 0o700 })
    chownSync(path, owner, owner)
    return path
  }

  const optionsOf = (name: string, data: string): readonly string[] => [
    ...[...HARD, ...HERE, '--network', 'host', '--name', name],
    ...['--volume', `${data}:/data`, '--volume', `${join(folder, 'key')}:/run/secrets/key:ro`],
  ]
  const command = (name: string): readonly string[] => [
    ...[name, '--api', network.apiUrl, '--gateway', network.gatewayUrl, '--key-file', '/run/secrets/key'],
  ]
  const mine = (): readonly string[] => [...command('mine'), '--block-time', '600ms', '--json']

  function start(name: string, more: readonly string[] = [], data = dataFolder(name)) {
    names.push(name)
    const options = [...optionsOf(name, data), ...more]
    const { status, said } = podman('run', '--detach', ...options, 'localhost/hailstone:local', ...mine())
    expect(status, said).toBe(0)
    const logs = (): string => podman('logs', name).said
    return { logs, inspect: (format: string) => podman('inspect', '--format', format, name).out }
  }

  it('are at most 70 MB, compressed', () => {
    expect(built.map(({ target }) => target)).toEqual(['hailstone', 'hailstone-network'])
    for (const { target, compressed } of built) expect(compressed, target).toBeLessThan(70_000_000)
    for (const { compressed } of built) expect(compressed).toBeGreaterThan(10_000_000)
  })

  it('mine to a reward as 65532, with a root that is read-only and no capability; are healthy, and end in time', async () => {
    const place = `127.0.0.1:${await freePort()}`
    const name = `hailstone-mine-${process.pid}`
    const miner = start(name, ['--env', `HAILSTONE_HEALTH_LISTEN=${place}`])
    await until(() => miner.logs().includes('"event":"rewarded"'), 'a reward in the container', 60_000)
    // On a busy machine a health check can take longer than its limit of 5 s.
    await expect.poll(() => podman('healthcheck', 'run', name)).toMatchObject({ status: 0 })

    const processId = miner.inspect('{{.State.Pid}}')
    const status = readFileSync(`/proc/${processId}/status`, 'utf8')
    expect(status).toMatch(new RegExp(`^Uid:\\s+${UID}\\s+${UID}\\s`, 'm'))
    expect(status).toMatch(/^CapEff:\s+0+$/m)
    expect(status).toMatch(/^NoNewPrivs:\s+1$/m)
    expect(readFileSync(`/proc/${processId}/mounts`, 'utf8')).toMatch(/^\S+ \/ \S+ ro[, ]/m)
    for (const part of ['cmdline', 'environ'])
      expect(readFileSync(`/proc/${processId}/${part}`, 'utf8')).not.toContain(key)

    process.kill(Number(processId), 'SIGTERM')
    const begunAt = performance.now()
    await until(() => !existsSync(`/proc/${processId}`), 'the end of the container')
    expect(performance.now() - begunAt).toBeLessThan(withinMs(5_000))
    podman('wait', name)
    expect(miner.inspect('{{.State.ExitCode}}')).toBe('0')
    expect(miner.logs()).not.toContain(key)
  })

  it('end with 23 and the user where /data is of somebody else', () => {
    const name = `hailstone-foreign-${process.pid}`
    names.push(name)
    const options = optionsOf(name, dataFolder(name, 0))
    const { status, said } = podman('run', '--rm', ...options, 'localhost/hailstone:local', ...mine())
    expect([status, said]).toEqual([23, expect.stringMatching(/hailstone|65532/)])
  })

  it('mine with one key once, in two containers with one volume, and one that was killed leaves it free', async () => {
    const data = dataFolder('shared')
    const first = start(`hailstone-first-${process.pid}`, [], data)
    await until(() => first.logs().includes('"event":"rewarded"'), 'a reward of the first', 60_000)
    const second = podman(
      'run',
      ...[
        '--rm',
        ...optionsOf(`hailstone-second-${process.pid}`, data),
        'localhost/hailstone:local',
        ...mine(),
      ],
    )
    expect([second.status, second.said]).toEqual([expect.any(Number), expect.stringContaining('KEY_IN_USE')])
    podman('kill', '--signal', 'KILL', `hailstone-first-${process.pid}`)
    const third = start(`hailstone-third-${process.pid}`, [], data)
    await until(() => third.logs().includes('"event":"rewarded"'), 'a reward of the third', 60_000)
    podman('stop', '--time', '10', `hailstone-third-${process.pid}`)
  })

  /** Words of each command that runs unattended, with a place that answers 200 once it works again. */
  const unattended = {
    mine: (place: string) => ({ words: [...mine(), `--health-listen=${place}`], path: '/readyz' }),
    fleet: (place: string) => ({
      words: [
        ...['fleet', '--api', network.apiUrl, '--gateway', network.gatewayUrl, '--block-time', '600ms'],
        ...['--keys-file', '/run/secrets/key', `--health-listen=${place}`],
      ],
      path: '/readyz',
    }),
    bridge: (place: string, port: number) => ({
      words: [
        ...['bridge', `--upstream=${network.gatewayUrl}`, `--listen=127.0.0.1:${port}`],
        `--health-listen=${place}`,
      ],
      path: '/readyz',
    }),
    network: (place: string, port: number) => ({
      words: [
        '--data',
        '/data',
        '--port',
        place.slice(place.indexOf(':') + 1),
        `--gateway-port=${port}`,
        '--block-time=500ms',
      ],
      path: '/api/v1/height',
    }),
  }

  it.each(Object.keys(unattended) as (keyof typeof unattended)[])(
    `%s comes back by itself from each of ${KILLS} kills`,
    async (service) => {
      const name = `hailstone-kills-${service}-${process.pid}`
      names.push(name)
      const [place, port] = [`127.0.0.1:${await freePort()}`, await freePort()]
      const { words, path } = unattended[service](place, port)
      const image = service === 'network' ? 'hailstone-network' : 'hailstone'
      const options = [...optionsOf(name, dataFolder(name)), '--no-healthcheck', '--restart=unless-stopped']
      const begun = podman('run', '--detach', ...options, `localhost/${image}:local`, ...words)
      expect(begun.status, begun.said).toBe(0)
      const processId = (): number => Number(podman('inspect', '--format', '{{.State.Pid}}', name).out)
      const answer = async (): Promise<string | null> => {
        const response = await fetch(`http://${place}${path}`).catch(() => null)
        const body = (await response?.text().catch(() => null)) ?? null
        return response?.status === 200 ? body : null
      }
      let height = 0
      /** A network works once its chain is longer than before. */
      const works = async (): Promise<boolean> => {
        const said = await answer()
        if (service !== 'network') return said !== null
        const now = Number(/\d+/.exec(said ?? '')?.[0] ?? 0)
        const isLonger = now > height
        if (isLonger) height = now
        return isLonger
      }
      const logs = (): string => podman('logs', '--tail', '20', name).said
      await until(works, () => `${service} works: ${logs()}`, 60_000)
      for (let kill = 1; kill <= KILLS; kill++) {
        const killed = processId()
        process.kill(killed, 'SIGKILL')
        await until(
          () => ![0, killed].includes(processId()),
          () => `start ${kill + 1}: ${logs()}`,
          60_000,
        )
        await until(works, () => `${service} works after kill ${kill}: ${logs()}`, 60_000)
      }
      podman('stop', '--time', '10', name)
      expect(podman('inspect', '--format', '{{.State.ExitCode}}', name).out).toBe('0')
    },
    1_800_000,
  )

  it('answer with the version, and hold neither shell nor package manager', () => {
    const version = podman('run', '--rm', ...HARD, ...HERE, 'localhost/hailstone:local', '--version')
    expect([version.status, version.out]).toEqual([0, expect.stringMatching(/^hailstone \d/)])
    const other = podman('run', '--rm', ...HARD, ...HERE, 'localhost/hailstone-network:local', '--version')
    expect(other.status).toBe(0)
    const shell = ['--entrypoint', '/bin/sh', 'localhost/hailstone:local']
    expect(podman('run', '--rm', ...HARD, ...HERE, ...shell).status).toBe(127)
  })
})

const missingParts = missingForStack()

describe.skipIf(missingParts !== null)(titled('the compose file', missingParts), () => {
  let stack: Stack
  beforeAll(async () => {
    stack = await openStack()
    await stack.up()
  }, 180_000)
  afterAll(async () => stack?.remove())

  it('serves the app, its routes and the API behind Caddy, and gives test coins', async () => {
    await until(async () => (await stack.height()) > 0, 'a chain', 60_000)
    expect(stack.hailstone('faucet', '--key-file', '/run/secrets/miner-key')).toMatchObject({ status: 0 })
    expect((await stack.ask('/')).body).toContain('<html')
    expect((await stack.ask('/wallet')).status).toBe(200)
    expect((await stack.ask('/missing.js')).status).toBe(404)
  }, 120_000)

  it('mines, and Prometheus reads all of it and has the rules', async () => {
    await until(() => stack.logs('miner').includes('reward of'), 'a reward of the miner', 60_000)
    const targets = async () => await stack.prometheus('targets?state=active')
    await until(async () => (await targets()).match(/"health":"up"/g)?.length === 2, 'both targets', 40_000)
    expect((await stack.prometheus('rules')).match(/"type":"alerting"/g)).toHaveLength(14)
    const inDashboard = readFileSync(new URL('../../../ops/grafana/hailstone.json', import.meta.url), 'utf8')
    const names = new Set(inDashboard.match(/\bhailstone_[a-z_]+/g))
    const others = [...names].filter((name) => !/^hailstone_(?:fleet|webhook|gateway)_/.test(name))
    expect(others.length).toBeGreaterThan(5)
    // A name is known once it was read, and the miner names rewards from its first one on.
    const unread = async () => {
      const known = await stack.prometheus('targets/metadata?limit=1000')
      return others.filter((name) => !known.includes(`"${name}"`))
    }
    await until(async () => (await unread()).length === 0, 'each name of the dashboard', 40_000).catch(
      async (error: unknown) => expect(await unread(), String(error)).toEqual([]),
    )
  }, 120_000)

  it('keeps secrets out of settings, environments and logs, and listens on this machine alone', () => {
    for (const service of SERVICES) {
      const said = `${stack.inspect(service)}${stack.logs(service)}${stack.environment(service)}`
      expect(said.length).toBeGreaterThan(1_000)
      for (const secret of stack.secrets()) expect(said.includes(secret), service).toBe(false)
    }
    const hosts = SERVICES.flatMap((service) => stack.inspect(service).match(/"HostIp": "[^"]*"/g) ?? [])
    expect(new Set(hosts)).toEqual(new Set(['"HostIp": "127.0.0.1"']))
    expect(hosts.length).toBeGreaterThanOrEqual(3)
  })

  it.each(SERVICES)(
    'comes back when %s is killed, with the chain that was there',
    async (service) => {
      const [height, first] = [await stack.height(), stack.firstBlock()]
      const before = stack.processOf(service)
      process.kill(before, 'SIGKILL')
      await until(() => ![0, before].includes(stack.processOf(service)), `${service} again`, 20_000)
      await until(async () => (await stack.height()) > height + 1, 'new blocks', 40_000)
      expect(stack.firstBlock()).toBe(first)
      await until(async () => (await stack.ask('/wallet')).status === 200, 'the app', 20_000)
      if (service === 'prometheus')
        await until(async () => (await stack.prometheus('rules')).includes('alerting'), 'the rules', 20_000)
    },
    120_000,
  )

  it('ends within 10 s, and begins again with its chain', async () => {
    const [height, first] = [await stack.height(), stack.firstBlock()]
    const begunAt = performance.now()
    stack.down()
    expect(performance.now() - begunAt).toBeLessThan(withinMs(10_000))
    expect(stack.running()).toEqual([])
    await stack.up()
    await until(async () => (await stack.height()) >= height, 'the chain', 60_000)
    expect(stack.firstBlock()).toBe(first)
  }, 120_000)
})
