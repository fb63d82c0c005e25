import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'

const root = fileURLToPath(new URL('../../../', import.meta.url))
const read = (file: string): string => readFileSync(join(root, file), 'utf8')

describe('systemd units', () => {
  const units = readdirSync(join(root, 'ops/systemd')).filter((file) => file.endsWith('.service'))

  it('start commands with options that exist', () => {
    const options = read('packages/hailstone/src/commands.ts')
    expect(read('ops/systemd/hailstone-network.service')).toContain('HAILSTONE_DATA=%S/hailstone-network')
    for (const unit of units.filter((file) => file !== 'hailstone-network.service'))
      for (const [, flag = ''] of read(`ops/systemd/${unit}`).matchAll(/ --([a-z-]+)/g)) {
        const name = flag.replace(/-([a-z])/g, (_, letter: string) => letter.toUpperCase())
        expect(options, `${unit}: --${flag}`).toMatch(new RegExp(`\\b${name}: \\{`))
      }
  })
})

describe('what supervises', () => {
  const units = readdirSync(join(root, 'ops/systemd')).map(
    (file) => [file, read(`ops/systemd/${file}`)] as const,
  )
  const valuesOf = (unit: string, key: string): readonly string[] =>
    [...unit.matchAll(new RegExp(`^${key}=(.*)$`, 'gm'))].map(([, value = '']) => value)

  it.each(units)('%s starts a process again however often it ends, until a person is needed', (_, unit) => {
    expect(valuesOf(unit, 'Restart')).toEqual(['always'])
    expect(valuesOf(unit, 'StartLimitIntervalSec')).toEqual(['0'])
    const ends = new Set(valuesOf(unit, 'RestartPreventExitStatus').join(' ').split(' ').map(Number))
    // A lock, an address that is away, a clock, a full disk and a port pass by themselves; 0 is never the end of a service.
    for (const passing of [0, 1, 5, 10, 11, 12, 23, 24, 25, 26]) expect(ends.has(passing)).toBe(false)
    for (const lasting of [2, 3, 4]) expect(ends.has(lasting)).toBe(true)
  })

  it.each(units)('%s leaves locks their socket, and has a folder for what it keeps', (_, unit) => {
    expect(valuesOf(unit, 'RestrictAddressFamilies').join(' ').split(' ')).toContain('AF_UNIX')
    const [folder = ''] = valuesOf(unit, 'StateDirectory')
    expect(folder).not.toBe('')
    expect(valuesOf(unit, 'ExecStart')[0]).toContain(`--data %S/${folder}`)
  })

  it.each(units)('%s is reloaded with the shell alone: a small Debian has no /bin/kill', (_, unit) => {
    for (const command of valuesOf(unit, 'ExecReload')) expect(command).toMatch(/^\/bin\/sh -c 'kill -HUP /)
  })

  it('the compose file starts every service again, also after a restart of the machine', () => {
    const compose = read('ops/compose/compose.yaml')
    const policies = [...compose.matchAll(/^\s+restart: (\S+)$/gm)].map(([, policy]) => policy)
    expect(new Set(policies)).toEqual(new Set(['unless-stopped']))
    const services = [...compose.matchAll(/^ {2}(\w+):\n((?: {4}.*\n)+)/gm)].filter(([, , lines = '']) =>
      lines.includes('    image:'),
    )
    expect(services.length).toBe(6)
    for (const [, , lines] of services) expect(lines).toMatch(/restart: unless-stopped|<<: \*hard/)
  })

  it('the image is unhealthy only where its process does not answer', () => {
    expect(read('ops/container/Containerfile')).toMatch(/^HEALTHCHECK .*"health", "\/livez"\]$/m)
  })

  it('the Caddyfile of the compose file imports what a build writes, and has no headers of its own', () => {
    const [caddyfile, compose] = [read('ops/compose/Caddyfile'), read('ops/compose/compose.yaml')]
    const written = read('packages/brand/src/hosts/host-files.ts')
    expect(caddyfile).not.toMatch(/^\s*(?:header|file_server|rewrite)\b/m)
    for (const name of ['app', 'errors']) {
      expect(caddyfile).toContain(`import ${name}*.caddy`)
      expect(compose).toContain(`-deploy/${name}.caddy:/etc/caddy/${name}.caddy:ro`)
      expect(written).toContain(`'${name}.caddy'`)
    }
  })
})

describe('names of metrics', () => {
  /** Sources that write them. */
  const sources = [
    ...['node-metrics', 'fleet-metrics', 'process-metrics'].map(
      (file) => `packages/mining-node/src/health/${file}.ts`,
    ),
    'packages/mining-node/src/bridge/bridge-counts.ts',
    'packages/hailstone/src/webhook/open-webhooks.ts',
    'packages/local-network/src/http/metrics.ts',
    'packages/indexer/src/indexer-health.ts',
    'apps/console/src/alerts/serve-metrics.ts',
  ].map(read)
  /** Written whole, or after `hailstone_`; counters of a miner get `_total`. */
  const isWritten = (name: string): boolean => {
    const [short, counter] = [
      name.replace(/^hailstone_(?:webhook_|indexer_)?/, ''),
      /^hailstone_(.*)_total$/.exec(name)?.[1],
    ]
    return sources.some((text) =>
      [name, short, counter].some((one) => one !== undefined && text.includes(`'${one}'`)),
    )
  }
  const namesIn = (text: string): readonly string[] => [
    ...new Set([...text.matchAll(/\b(?:hailstone|process)_[a-z_]+\b/g)].map(([name]) => name)),
  ]

  it.each(['ops/prometheus/alerts.yml', 'ops/grafana/hailstone.json'])('in %s exist', (file) => {
    const names = namesIn(read(file))
    expect(names.length).toBeGreaterThan(8)
    expect(names.filter((name) => !isWritten(name))).toEqual([])
    expect(isWritten('hailstone_redy')).toBe(false)
  })
})
