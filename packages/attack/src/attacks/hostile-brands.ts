import { checkBrand, isBuildable, runtimeBrand } from '@hailstone/brand/check'
import { readRuntimeBrand } from '@hailstone/brand/runtime'
import type { Attack } from '../attack.ts'
import { goodBrand, goodFiles, withEachText } from '../brand/good-brand.ts'
import { cpuMs } from '../process-figures.ts'

/** Texts that no field of a brand may hold, when it is loaded as when it is built. */
const everywhere = [
  '<img src=x onerror="globalThis.hit=1">',
  '</title><script>globalThis.hit=1</script>',
  '<!-- x',
  'javascript:alert(1)',
  'x} body{display:none',
  'a\u202eb',
  'a\u0000b',
]

/** Texts that are refused when a brand is built. */
const whenBuilt = [
  ...everywhere,
  'vbscript:x',
  'data:text/html,<b>x',
  'url(//evil.example/x)',
  '@import "//evil.example/x"',
  '&lt;script&gt;',
  'a\u200bb',
  '\u001b[2J',
  '1f'.repeat(32),
  ' x',
]

export const hostileBrands: Attack = {
  name: 'hostile-brands',
  row: 'A-16',
  what: 'puts scripts, styles, addresses and keys into every text of a brand, before the build and after it',
  async run({ say }) {
    const source = { config: goodBrand, files: goodFiles, folderName: 'acme' }
    const good = checkBrand({ source })
    if (good.brand === null || !isBuildable(good))
      throw new Error('the brand that is changed is refused itself')
    let [built, loaded, slowestMs] = [0, 0, 0]
    const accepted = { built: 0, loaded: 0 }
    for (const text of whenBuilt) {
      for (const { path, changed } of withEachText(goodBrand, text)) {
        // An identifier is 64 hex digits, as a key is.
        if (path === 'token.hash' && /^[0-9a-f]{64}$/.test(text)) continue
        built++
        const startedAt = cpuMs()
        const isTaken = isBuildable(checkBrand({ source: { ...source, config: changed } }))
        slowestMs = Math.max(slowestMs, cpuMs() - startedAt)
        if (isTaken) {
          accepted.built++
          say(`taken by the build: ${JSON.stringify(text)} as ${path}`)
        }
      }
    }
    const written = JSON.parse(JSON.stringify(runtimeBrand(good.brand, goodFiles))) as unknown
    for (const text of everywhere) {
      for (const { path, changed } of withEachText(written, text)) {
        loaded++
        if (isLoaded(JSON.stringify(changed))) {
          accepted.loaded++
          say(`taken by the app: ${JSON.stringify(text)} as ${path}`)
        }
      }
    }
    return [
      { name: 'brands offered to the build', value: built, unit: '', atLeast: 60 },
      { name: 'of these taken', value: accepted.built, unit: '', atMost: 0 },
      { name: 'built brands that were changed', value: loaded, unit: '', atLeast: 60 },
      { name: 'of these loaded', value: accepted.loaded, unit: '', atMost: 0 },
      { name: 'longest check of a brand', value: slowestMs, unit: 'ms', atMost: 1000 },
    ]
  },
}

function isLoaded(text: string): boolean {
  try {
    readRuntimeBrand(text)
    return true
  } catch {
    return false
  }
}
