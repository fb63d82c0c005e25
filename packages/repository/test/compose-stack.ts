import { execFileSync, spawnSync } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { chmodSync, cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { request } from 'node:https'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

type StackScript = {
  readonly buildStackImages: () => Readonly<Record<'caddy' | 'prometheus' | 'postgres', string>>
  readonly missingForStack: () => string | null
}
const script = new URL('../../../scripts/stack-images.mjs', import.meta.url).href
const { buildStackImages, missingForStack } = (await import(/* @vite-ignore */ script)) as StackScript

export { missingForStack }

const root = fileURLToPath(new URL('../../../', import.meta.url))
export const SERVICES = ['database', 'network', 'miner', 'bridge', 'app', 'prometheus'] as const
type Service = (typeof SERVICES)[number]

/** Ports for containers: the system hands out others (from 32768 on Linux) to whoever asks for any. */
const FIRST_PORT = 20_000
const PORTS = 10_000

const isFree = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const server = createServer()
    server.once('error', () => resolve(false))
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)))
  })

/**
 * Returns a free port that no other test is given. Where a run is killed, podman leaves a rule that leads the port of a
 * container into nothing: a later test that listened there would hear of no connection.
 */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = FIRST_PORT + randomInt(PORTS)
    if (await isFree(port)) return port
  }
}

type Answer = { readonly status: number; readonly body: string }

/** Asks without a look at the certificate, which Caddy made itself. A place that does not answer has the status 0. */
const askAt = (url: string): Promise<Answer> =>
  new Promise((resolve) => {
    const nobody = (): void => resolve({ status: 0, body: '' })
    const asked = request(url, { rejectUnauthorized: false, timeout: 5_000 }, (response) => {
      let body = ''
      response.on('data', (chunk) => {
        body += chunk
      })
      response.on('end', () => resolve({ status: response.statusCode ?? 0, body }))
      response.on('error', nobody)
    })
    asked.on('timeout', () => asked.destroy())
    asked.on('error', nobody)
    asked.end()
  })

/** Settings that podman needs where no systemd runs. */
const CONTAINERS = `[containers]
default_ulimits = ["nofile=20000:20000", "nproc=1000:1000"]
[engine]
runtime = "runc"
`

/** The services of ops/compose/compose.yaml, as podman-compose starts them. */
export type Stack = Awaited<ReturnType<typeof openStack>>

/** Builds the images and a brand, makes the secrets as the page says, and starts nothing yet. */
export async function openStack() {
  const folder = mkdtempSync(join(tmpdir(), 'hailstone-stack-'))
  chmodSync(folder, 0o755)
  const compose = join(folder, 'ops', 'compose')
  for (const part of ['compose', 'prometheus'])
    cpSync(join(root, 'ops', part), join(folder, 'ops', part), {
      recursive: true,
      filter: (path) => !path.includes('/secrets/'),
    })
  const images = buildStackImages()
  const [http, https, ofPrometheus] = [await freePort(), await freePort(), await freePort()]
  const origin = `https://localhost:${https}`
  const nativeToken = '0'.repeat(64)
  const settings = {
    network: {
      preset: 'devnet',
      api: `${origin}/api/v1`,
      poa: [`${origin.replace('https', 'wss')}/bridge`],
      nativeToken,
    },
    // The app takes hosts of links without a port.
    app: { homepage: 'https://localhost' },
    i18n: { default: 'en', enabled: ['en'] },
    security: { lock: 'onSend', autoLockMin: 60 },
    mining: { autoStart: false, wifiOnly: false, chargingOnly: false, minBattery: 0, keepAwake: true },
    token: { hash: nativeToken, ticker: 'DEV', decimals: 10, display: { fractionMax: 4 } },
  }
  const set = Object.entries(settings).flatMap(([key, value]) => ['--set', `${key}=${JSON.stringify(value)}`])
  cpSync(join(root, 'apps/white-label/brands/jamr'), join(folder, 'jamr'), { recursive: true })
  const brand = join(root, 'apps/white-label/bin/hailstone-brand.js')
  const words = [brand, 'build', join(folder, 'jamr'), '--host', 'caddy', '--out', join(folder, 'build')]
  execFileSync(process.execPath, [...words, ...set], { stdio: 'pipe' })
  execFileSync('sh', [join(compose, 'secrets.sh')])
  writeFileSync(join(folder, 'containers.conf'), CONTAINERS)

  const project = `hailstone-stack-${process.pid}`
  const env = {
    ...process.env,
    CONTAINERS_CONF: join(folder, 'containers.conf'),
    POSTGRES_IMAGE: images.postgres,
    CADDY_IMAGE: images.caddy,
    PROMETHEUS_IMAGE: images.prometheus,
    HTTP_PORT: String(http),
    HTTPS_PORT: String(https),
    PROMETHEUS_PORT: String(ofPrometheus),
    BRAND_BUILD: join(folder, 'build'),
    BLOCK_TIME: '1s',
  }
  function run(program: string, ...given: readonly string[]) {
    const done = spawnSync(program, given, { cwd: compose, env, encoding: 'utf8', timeout: 120_000 })
    return { status: done.status, said: `${done.stdout}${done.stderr}` }
  }
  const nameOf = (service: Service): string => `${project}_${service}_1`
  const inspect = (service: Service, ...more: readonly string[]): string =>
    run('podman', 'inspect', ...more, nameOf(service)).said
  const processOf = (service: Service): number => Number(inspect(service, '--format', '{{.State.Pid}}')) || 0
  const ask = (path: string): Promise<Answer> => askAt(`${origin}${path}`)
  const down = (...more: readonly string[]) => run('podman-compose', '-p', project, 'down', ...more)

  const hailstone = (...given: readonly string[]) =>
    run(
      ...(['podman', 'exec', nameOf('miner'), '/usr/bin/node'] as const),
      ...['/app/node_modules/hailstone/dist/bin.js', ...given],
      ...['--api', 'http://network:4410/api/v1', '--allow-insecure'],
    )

  return {
    origin,
    ask,
    inspect,
    processOf,
    down,
    up: async (): Promise<void> => {
      const { status, said } = run('podman-compose', '-p', project, 'up', '-d')
      if (status !== 0) throw new Error(said)
    },
    remove: (): void => {
      down('-v')
      run('podman', 'network', 'rm', '-f', `${project}_inside`)
      rmSync(folder, { recursive: true, force: true })
    },
    running: (): readonly string[] =>
      run('podman', 'ps', '-a', '--format', '{{.Names}}')
        .said.split('\n')
        .filter((name) => name.startsWith(`${project}_`)),
    logs: (service: Service): string => run('podman', 'logs', nameOf(service)).said,
    environment: (service: Service): string => readFileSync(`/proc/${processOf(service)}/environ`, 'latin1'),
    secrets: (): readonly string[] =>
      readdirSync(join(compose, 'secrets')).map((name) =>
        readFileSync(join(compose, 'secrets', name), 'utf8').trim(),
      ),
    /** As the page says: in the container of the miner, which reaches the network. */
    hailstone,
    /** -1 while nobody answers. */
    height: async (): Promise<number> =>
      Number(/"height":(\d+)/.exec((await ask('/api/v1/height')).body)?.[1] ?? -1),
    /** Returns the description of the first block, from the network. */
    firstBlock: (): string => {
      const { status, said } = hailstone('block', '1', '--json')
      if (status !== 0) throw new Error(said)
      return said
    },
    prometheus: async (question: string): Promise<string> =>
      (await fetch(`http://127.0.0.1:${ofPrometheus}/api/v1/${question}`).catch(() => null))?.text() ?? '',
  }
}
