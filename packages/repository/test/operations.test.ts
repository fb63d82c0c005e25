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
    for (const unit of units.filter((file) => file !== 'hailstone-network.service'))
      for (const [, flag = ''] of read(`ops/systemd/${unit}`).matchAll(/ --([a-z-]+)/g)) {
        const name = flag.replace(/-([a-z])/g, (_, letter: string) => letter.toUpperCase())
        expect(options, `${unit}: --${flag}`).toMatch(new RegExp(`\\b${name}: \\{`))
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
