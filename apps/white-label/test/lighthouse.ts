import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { findChromium } from '@hailstone/test-browser'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { brandFolder, useApp } from './app-harness.ts'

/** Installed by this command only: it brings 200 packages that no other test needs. */
const LIGHTHOUSE = 'lighthouse@12.8.2'
const MIN_SCORE = 0.95

type Report = {
  readonly categories: Readonly<Record<string, { readonly score: number }>>
  readonly audits: Readonly<Record<string, { readonly score: number | null; readonly displayValue?: string }>>
}

const app = useApp({ asShipped: true })
let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'lighthouse-'))
})
afterAll(async () => {
  await rm(folder, { recursive: true, force: true })
})

async function measure(url: string): Promise<Report> {
  const out = join(folder, 'report.json')
  const words = [
    ...['--yes', LIGHTHOUSE, url, '--quiet', '--output=json', `--output-path=${out}`],
    '--only-categories=performance,accessibility,best-practices',
    '--chrome-flags=--headless=new --no-sandbox',
  ]
  const env = { ...process.env, CHROME_PATH: findChromium() }
  await promisify(execFile)('npx', words, { env })
  return JSON.parse(await readFile(out, 'utf8')) as Report
}

const shown = [
  'first-contentful-paint',
  'largest-contentful-paint',
  'interactive',
  'total-blocking-time',
] as const

describe('Lighthouse, on a phone of the middle class over a slow line', () => {
  for (const name of ['tidewater', 'jamr']) {
    it(`gives ${name} 95 of 100 points at least for performance and accessibility`, async () => {
      const { categories, audits } = await measure(await app.serve({ brandFolder: brandFolder(name) }))
      const scores = Object.entries(categories).map(([category, { score }]) => `${category} ${score}`)
      const times = shown.map((audit) => `${audit} ${audits[audit]?.displayValue}`)
      console.log([name, ...scores, ...times].join(', '))
      expect(categories.performance?.score).toBeGreaterThanOrEqual(MIN_SCORE)
      expect(categories.accessibility?.score).toBeGreaterThanOrEqual(MIN_SCORE)
    })
  }
})
