import { type Finding, finding } from '../findings/finding.ts'
import { IMMUTABLE_FOLDER } from '../hosts/host-rules.ts'
import { type Answer, ask, isAnswer } from './site.ts'

const answersOf = (base: URL, paths: readonly string[]) =>
  Promise.all(paths.map(async (path) => ({ path, answer: await ask(new URL(path, base)) })))

/** Returns for how many seconds an answer may be kept; null if it does not say. */
function keptSeconds(answer: Answer): number | null {
  const rule = answer.header('cache-control')
  if (rule === null) return null
  if (/\bno-(?:cache|store)\b/.test(rule)) return 0
  const seconds = /\bmax-age=(\d+)/.exec(rule)?.[1]
  return seconds === undefined ? null : Number(seconds)
}

const CHANGING = ['', 'brand/brand.json', 'service-worker.js', 'wallet'] as const
/** Some hosts keep everything for ten minutes, and do not let it be changed. */
const SHORT_SECONDS = 600
const LONG_SECONDS = 30 * 24 * 3_600

/** Checks that updates arrive, and that what never changes is kept. */
export async function cachingFindings(base: URL, paths: readonly string[]): Promise<readonly Finding[]> {
  const changing = (await answersOf(base, CHANGING)).flatMap(({ path, answer }) => {
    if (!isAnswer(answer)) return []
    const seconds = keptSeconds(answer)
    if (seconds === 0) return []
    const severity = seconds === null || seconds <= SHORT_SECONDS ? 'warning' : 'error'
    const found = answer.header('cache-control') ?? 'no Cache-Control'
    return [finding('cache-too-long', { path: `/${path}`, found, severity })]
  })
  const asset = paths.filter((path) => `/${path}`.startsWith(IMMUTABLE_FOLDER)).slice(0, 1)
  const kept = (await answersOf(base, asset)).flatMap(({ path, answer }) => {
    if (!isAnswer(answer) || (keptSeconds(answer) ?? 0) >= LONG_SECONDS) return []
    const found = answer.header('cache-control') ?? 'no Cache-Control'
    return [finding('cache-too-short', { path: `/${path}`, found })]
  })
  return [...changing, ...kept]
}

const MISSING = ['assets/none-00000000.js', 'none.png', 'brand/none.json'] as const

/** Checks that a missing file is 404 and asked for again: an update could otherwise load a page in place of a script. */
export async function missingFindings(base: URL): Promise<readonly Finding[]> {
  return (await answersOf(base, MISSING)).flatMap(({ path, answer }) => {
    if (!isAnswer(answer)) return []
    const isMissing = answer.status === 404 || answer.status === 410
    const isKept = (keptSeconds(answer) ?? 0) > SHORT_SECONDS
    if (isMissing && !isKept) return []
    const found = `status ${answer.status}, ${answer.header('cache-control') ?? 'no Cache-Control'}`
    return [finding('missing-file-answered', { path: `/${path}`, found })]
  })
}

/** Types by file. With `nosniff` a browser refuses scripts and styles of another type. */
const TYPES = [
  ['', /^text\/html\b/, 'error'],
  ['service-worker.js', /javascript/, 'error'],
  ['brand/theme.css', /^text\/css\b/, 'error'],
  ['favicon.svg', /^image\/svg\+xml/, 'error'],
  ['brand/brand.json', /^application\/json\b/, 'warning'],
  ['manifest.webmanifest', /^application\/(?:manifest\+)?json\b/, 'warning'],
] as const

export async function typeFindings(base: URL): Promise<readonly Finding[]> {
  const each = TYPES.map(async ([path, wanted, severity]): Promise<readonly Finding[]> => {
    const answer = await ask(new URL(path, base))
    if (!isAnswer(answer) || answer.status !== 200) return []
    const type = answer.header('content-type') ?? 'none'
    return wanted.test(type)
      ? []
      : [finding('content-type-wrong', { path: `/${path}`, found: type, severity })]
  })
  return (await Promise.all(each)).flat()
}

const PACKET_BYTES = 1_500

/** Checks that scripts are compressed on their way: the first load is a third of it. */
export async function compressionFindings(base: URL, paths: readonly string[]): Promise<readonly Finding[]> {
  const scripts = paths.filter((path) => /^assets\/.*\.js$/.test(path))
  for (const { path, answer } of await answersOf(base, scripts)) {
    // Compressing what fits into one packet saves nothing.
    if (!isAnswer(answer) || answer.body.length < PACKET_BYTES) continue
    if (answer.header('content-encoding') !== null) return []
    return [finding('not-compressed', { path: `/${path}`, found: `${answer.body.length} bytes as they are` })]
  }
  return []
}
