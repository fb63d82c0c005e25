// `npm run lighthouse`: what Lighthouse gives the built site. Median of three loads of each page, on a phone that it imitates.
import { spawn } from 'node:child_process'
import { mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../../scripts/bootstrap.mjs'
import { ensureBrowser, findBrowser } from '../../scripts/browser.mjs'
import { fetchPackages } from '../../scripts/node-binaries.mjs'
import { serveSite } from './serve.mjs'

/** Fetched by this command only: it brings 200 packages, 185 MB, that nothing else needs. */
const LIGHTHOUSE = 'lighthouse@12.8.2'
const PAGES = ['/', '/tutorials/first-reward/', '/reference/errors/', '/how-to/send-once/']
const LOADS = 3
/** Least points. What the machine does besides changes performance alone. */
const LEAST = { performance: 0.98, accessibility: 1, 'best-practices': 1, seo: 1 }
const isStrict = process.env.HAILSTONE_STRICT_TIMES === '1'

const folder = join(root, '.hailstone', 'lighthouse')
const cli = join('node_modules', 'lighthouse', 'cli', 'index.js')
mkdirSync(folder, { recursive: true })
fetchPackages(folder, [LIGHTHOUSE], cli)
ensureBrowser()

async function load(url) {
  const report = join(folder, 'report.json')
  const output = ['--quiet', '--output=json', `--output-path=${report}`]
  const words = [cli, url, ...output, '--chrome-flags=--headless=new --no-sandbox']
  const env = { ...process.env, CHROME_PATH: findBrowser() }
  const child = spawn(process.execPath, words, { cwd: folder, env, stdio: 'inherit' })
  const code = await new Promise((resolve) => child.once('close', resolve))
  if (code !== 0) throw new Error(`Lighthouse ended with ${code}`)
  const { categories, audits } = JSON.parse(readFileSync(report, 'utf8'))
  return { categories, audits }
}

const site = await serveSite()
const faults = []
for (const page of PAGES) {
  const loads = []
  for (let at = 0; at < LOADS; at++) loads.push(await load(site.url + page))
  const scores = Object.keys(LEAST).map((name) => {
    const points = loads.map(({ categories }) => categories[name].score).sort((one, other) => one - other)
    return [name, points[Math.floor(LOADS / 2)]]
  })
  process.stdout.write(`${page}  ${scores.map(([name, score]) => `${name} ${score}`).join(', ')}\n`)
  for (const [name, score] of scores)
    if (score < LEAST[name] && (isStrict || name !== 'performance')) faults.push(`${page}: ${name} ${score}`)
}
await site.close()
for (const fault of faults) process.stderr.write(`${fault}\n`)
process.exitCode = faults.length === 0 ? 0 : 1
