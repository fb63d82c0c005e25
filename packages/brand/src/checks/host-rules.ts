import { decodePunycode } from './punycode.ts'

const ascii = /^(?:[a-z0-9](?:[a-z0-9-]*[a-z0-9])?\.)*[a-z0-9](?:[a-z0-9-]*[a-z0-9])?$/
const ipv6 = /^\[[0-9a-f:.]+\]$/

/** True for a host of letters, digits, dots and hyphens, or a bracketed IPv6 address; URLs allow more. */
export const isPlainHost = (host: string): boolean => ascii.test(host) || ipv6.test(host)

/** Cyrillic, Greek and other letters that are drawn like Latin ones. */
const doubles = /^[асеорхукнмтвіјѕһԁԛԝӏѵɡɑοανρικυτωϲӕ0-9-]+$/u

/** The labels of a host that are written in other alphabets, decoded. */
export const internationalLabels = (host: string): readonly string[] =>
  host
    .split('.')
    .filter((label) => label.startsWith('xn--'))
    .map((label) => decodePunycode(label.slice(4)) ?? label)

const latin = /\p{Script=Latin}/u
const otherLetter = /(?!\p{Script=Latin})\p{L}/u
const mixesWell = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u

/** True when a decoded label would be taken for another one: alphabets mixed, or letters that have doubles. */
export const isLookAlikeLabel = (label: string): boolean =>
  label.startsWith('xn--') ||
  doubles.test(label) ||
  (latin.test(label) && otherLetter.test(label) && !mixesWell.test(label))

const privateNames =
  /(?:^|\.)(?:localhost|local|localdomain|internal|intranet|lan|home|corp|private|home\.arpa|test|invalid)$/

/**
 * True for hosts that only exist on this machine or in one building: loopback, private and link-local
 * addresses, names without a dot, and top-level names that are not public. The host is that of a parsed URL,
 * so numbers written in other ways have become dotted ones.
 */
export function isPrivateHost(host: string): boolean {
  if (host.startsWith('[')) return isPrivateIpv6(host.slice(1, -1))
  if (/^\d+\.\d+\.\d+\.\d+$/.test(host)) return isPrivateIpv4(host)
  return !host.includes('.') || privateNames.test(host)
}

function isPrivateIpv4(host: string): boolean {
  const [first = 0, second = 0] = host.split('.').map(Number)
  if (first === 0 || first === 10 || first === 127 || first >= 224) return true
  if (first === 100) return second >= 64 && second <= 127
  if (first === 169) return second === 254
  if (first === 172) return second >= 16 && second <= 31
  return first === 192 ? second === 168 || second === 0 : first === 198 && (second === 18 || second === 19)
}

function isPrivateIpv6(host: string): boolean {
  if (host === '::' || host === '::1') return true
  // An IPv4 address in IPv6 clothes is never needed, and a way round the rule above.
  if (/^::(?:ffff:)?[0-9a-f]{1,4}:[0-9a-f]{1,4}$/.test(host) || host.startsWith('64:ff9b:')) return true
  return /^(?:f[cd]|fe[89ab]|ff)/.test(host)
}
