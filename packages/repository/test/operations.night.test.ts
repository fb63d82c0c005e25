import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'

const root = fileURLToPath(new URL('../../../', import.meta.url))
const ops = join(root, 'ops')
const read = (file: string): string => readFileSync(join(root, file), 'utf8')

function run(program: string, words: readonly string[], cwd = ops) {
  const { status, stdout, stderr } = spawnSync(program, words, { cwd, encoding: 'utf8', timeout: 60_000 })
  return { status, out: `${stdout}${stderr}` }
}
const lacks = (program: string): boolean =>
  spawnSync(program, ['--version'], { stdio: 'ignore' }).error !== undefined

describe.skipIf(lacks('systemd-analyze'))('systemd units (systemd-analyze)', () => {
  const units = readdirSync(join(ops, 'systemd')).filter((file) => file.endsWith('.service'))

  it.each(units)('%s is exposed by 1.2 at most', (unit) => {
    const { out } = run('systemd-analyze', ['security', '--offline=true', join(ops, 'systemd', unit)])
    const [, level] = /Overall exposure level for \S+: ([\d.]+)/.exec(out) ?? []
    expect(Number(level), out).toBeLessThanOrEqual(1.2)
    expect(Number(level)).toBeGreaterThan(0)
  })

  it('start commands with options that exist', () => {
    const options = read('packages/hailstone/src/commands.ts')
    for (const unit of units.filter((file) => file !== 'hailstone-network.service'))
      for (const [, flag = ''] of read(`ops/systemd/${unit}`).matchAll(/ --([a-z-]+)/g)) {
        const name = flag.replace(/-([a-z])/g, (_, letter: string) => letter.toUpperCase())
        expect(options, `${unit}: --${flag}`).toMatch(new RegExp(`\\b${name}: \\{`))
      }
  })
})

describe.skipIf(lacks('promtool'))('alerts (promtool)', () => {
  const folder = join(ops, 'prometheus')

  it('are rules, each of which fires and keeps quiet in a test', () => {
    expect(run('promtool', ['check', 'rules', 'alerts.yml'], folder)).toMatchObject({ status: 0 })
    expect(run('promtool', ['test', 'rules', 'alerts.test.yml'], folder)).toMatchObject({ status: 0 })
    const alerts = [...read('ops/prometheus/alerts.yml').matchAll(/- alert: (\w+)/g)].map(([, name]) => name)
    const tests = read('ops/prometheus/alerts.test.yml')
    expect(alerts.length).toBe(11)
    for (const alert of alerts)
      for (const how of ['fires', 'keeps quiet']) expect(tests).toContain(`name: ${alert} ${how}`)
  })

  it('come with a configuration that Prometheus reads', () => {
    const done = run('promtool', ['check', 'config', '--syntax-only', 'prometheus.yml'], folder)
    expect([done.status, done.out]).toEqual([0, expect.stringContaining('SUCCESS')])
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
  ].map(read)
  /** Written whole, or after `hailstone_`; counters of a miner get `_total`. */
  const isWritten = (name: string): boolean => {
    const [short, counter] = [
      name.replace(/^hailstone_(?:webhook_)?/, ''),
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

describe.skipIf(lacks('docker-compose'))('the compose file (docker-compose)', () => {
  it('is valid', () => {
    const scratch = mkdtempSync(join(tmpdir(), 'hailstone-compose-'))
    try {
      cpSync(join(ops, 'compose'), join(scratch, 'compose'), { recursive: true })
      cpSync(join(ops, 'prometheus'), join(scratch, 'prometheus'), { recursive: true })
      mkdirSync(join(scratch, 'compose', 'secrets'))
      for (const name of ['database-password', 'database-url', 'miner-key', 'health-token'])
        writeFileSync(join(scratch, 'compose', 'secrets', name), '')
      expect(run('docker-compose', ['config', '-q'], join(scratch, 'compose'))).toEqual({
        status: 0,
        out: '',
      })
    } finally {
      rmSync(scratch, { recursive: true, force: true })
    }
  })
})

describe.skipIf(lacks('caddy'))('the Caddyfile of the compose file (caddy)', () => {
  it('is valid', () => {
    const words = ['validate', '--adapter', 'caddyfile', '--config', 'compose/Caddyfile']
    expect(run('caddy', words)).toMatchObject({ status: 0 })
  })
})
