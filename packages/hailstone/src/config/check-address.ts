import { canParseUrl, isLoopbackHost } from '@hailstone/runtime'
import { configFailure } from './config-failure.ts'

/** Beginnings that an address may have. */
type Beginnings = readonly [encrypted: string, plain: string]

const API: Beginnings = ['https://', 'http://']
const SOCKET: Beginnings = ['wss://', 'ws://']

/** Beginnings of addresses by the setting that holds them. */
const BEGINNINGS: ReadonlyMap<string, Beginnings> = new Map([
  ['api', API],
  ['gateway', SOCKET],
  ['boot-node', SOCKET],
  ['upstream', SOCKET],
  ['origin', API],
])

/** Names an address of a setting: by the key alone, or with its number in a list of several. */
const placeOf = (key: string, index: number, count: number): string =>
  count === 1 ? `"${key}"` : `"${key}" (address ${index + 1} of ${count})`

/**
 * Checks the addresses of a setting; settings that hold none pass. Paths and queries may contain a secret, so no
 * message repeats them.
 *
 * @throws {CommandFailure} that names the setting, and the number of the address in a list of several
 */
export function checkAddresses(key: string, texts: readonly string[]): void {
  const beginnings = BEGINNINGS.get(key)
  if (beginnings === undefined) return
  for (const [index, text] of texts.entries()) {
    const fault = faultOf(key, text, beginnings)
    if (fault !== null) throw configFailure(`${placeOf(key, index, texts.length)} ${fault}.`)
  }
}

function faultOf(key: string, text: string, [encrypted, plain]: Beginnings): string | null {
  // URL parsers remove some of these, so that another address would be used than the one that is read.
  if (/[\s\p{Cc}]/u.test(text)) return 'should be an address without spaces, tabs and line breaks'
  const isBegun = [encrypted, plain].some((beginning) => text.toLowerCase().startsWith(beginning))
  if (!isBegun) return `should be an address that begins with ${encrypted} or ${plain}`
  if (!canParseUrl(text)) return 'is not an address: look at its host and its port'
  const url = new URL(text)
  if (url.username + url.password !== '') return 'should be an address without user and password'
  if (key === 'origin' && url.origin !== text)
    return 'should be an origin such as https://mine.example, without a path'
  if (key === 'api' && url.search + url.hash !== '') return 'should be an address without query and fragment'
  return null
}

/**
 * Checks that every API of another machine is asked over https, as the commands do.
 *
 * @throws {CommandFailure} that names the setting, and the number of the address in a list of several
 */
export function checkPlainApis(texts: readonly string[]): void {
  const index = texts.map((text) => new URL(text)).findIndex(isPlainAndFar)
  if (index === -1) return
  const place = placeOf('api', index, texts.length)
  throw configFailure(
    `${place} should begin with https://: plain http is for this machine alone, unless allow-insecure = true.`,
  )
}

const isPlainAndFar = ({ protocol, hostname }: URL): boolean =>
  protocol === 'http:' && !isLoopbackHost(hostname)
