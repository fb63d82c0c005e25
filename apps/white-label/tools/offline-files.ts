import { createHash } from 'node:crypto'

/** True if the service worker keeps the file for offline use; pictures for installers are left out. */
const isKept = (path: string): boolean =>
  !path.startsWith('.') &&
  !['_headers', 'service-worker.js', 'social-card.png'].includes(path) &&
  !/^(?:android|ios|splash)\//.test(path)

/**
 * Writes the list of files into the service worker, with a name derived from their hashes: a new build is a new
 * worker.
 */
export function offlineWorker(
  source: string,
  files: ReadonlyMap<string, Uint8Array>,
  brandId: string,
): string {
  const kept = [...files].filter(([path]) => isKept(path)).sort(([one], [other]) => (one < other ? -1 : 1))
  const hash = createHash('sha256')
  for (const [path, bytes] of kept) hash.update(path).update(bytes)
  const paths = kept.map(([path]) => `/${path}`)
  const name = `hailstone-${brandId}-app-${hash.digest('hex').slice(0, 12)}`
  return `const BUILD_FILES=${JSON.stringify(paths)},BUILD_NAME=${JSON.stringify(name)};\n${source}`
}
