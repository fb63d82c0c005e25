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
