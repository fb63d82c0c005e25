import { createHash } from 'node:crypto'
import { isShippedLanguage } from '@hailstone/brand/check'

/** Returns the language whose texts a part of the app is; undefined for all other files. */
export function languageOf(path: string): string | undefined {
  const [, name = ''] = /^assets\/([a-z]{2})-[\w-]{7}\.js$/.exec(path) ?? []
  return isShippedLanguage(name) ? name : undefined
}

/** True if the service worker keeps the file for offline use; pictures for installers are left out. */
const isKept = (path: string): boolean =>
  !path.startsWith('.') &&
  !['_headers', 'service-worker.js', 'social-card.png'].includes(path) &&
  !/^(?:android|ios|splash)\//.test(path)

const sha256 = (bytes: string | Uint8Array) => createHash('sha256').update(bytes)

/**
 * Writes into the service worker the list of files, each with its hash, and a name derived from all of it: a new build
 * is a new worker with a cache of its own. Texts of languages that the brand does not offer
 * are left out, but for English, which stands in for others.
 */
export function offlineWorker(
  source: string,
  files: ReadonlyMap<string, Uint8Array>,
  brand: { readonly id: string; readonly languages: readonly string[] },
): string {
  const spoken = new Set([...brand.languages, 'en'])
  const isSpoken = (path: string): boolean => spoken.has(languageOf(path) ?? 'en')
  const kept = [...files]
    .filter(([path]) => isKept(path) && isSpoken(path))
    .sort(([one], [other]) => (one < other ? -1 : 1))
  // Some hosts lead /index.html to /.
  const paths = JSON.stringify(kept.map(([path]) => (path === 'index.html' ? '/' : `/${path}`)))
  const hashes = JSON.stringify(kept.map(([, bytes]) => sha256(bytes).digest('base64')))
  const whole = `BUILD_FILES=${paths},BUILD_HASHES=${hashes};\n${source}`
  const name = `hailstone-${brand.id}-app-${sha256(whole).digest('hex').slice(0, 12)}`
  return `const BUILD_NAME=${JSON.stringify(name)},${whole}`
}
