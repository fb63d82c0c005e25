/*
 * The one rule for hosts. A host is the `hostname` of a parsed URL, which has made dotted numbers of decimal, hexadecimal and octal
 * ones and ASCII of all letters; the dot of the root, brackets and capitals do not matter.
 */

const bare = (host: string): string =>
  host
    .toLowerCase()
    .replace(/\.$/, '')
    .replace(/^\[(.*)]$/, '$1')

/** True if a host can only mean this machine. */
export const isLoopbackHost = (host: string): boolean =>
  /^(?:(?:.+\.)?localhost|::1|127(?:\.\d+){3})$/.test(bare(host))

/** RFC 6761, 6762, 8375 and 9476, and names that resolvers of buildings answer (ICANN keeps them out of the public tree). */
const privateName =
  /(?:^|\.)(?:localhost|local|localdomain|internal|intranet|lan|home|corp|mail|private|home\.arpa|test|invalid|alt)$/

/** The special-purpose registry for IPv4 and everything from 224 on, without the addresses that only documents use. */
const privateIpv4 =
  /^(?:0|10|127|22[4-9]|2[3-5]\d|100\.(?:6[4-9]|[7-9]\d|1[01]\d|12[0-7])|169\.254|172\.(?:1[6-9]|2\d|3[01])|192\.(?:0\.0|88\.99|168)|198\.1[89])\./

/** The ranges of 2000::/3 that are not public: 2001::/23 with Teredo, and 6to4. */
const privateIpv6 = /^(?:2001:1?[\da-f]{0,2}|2002):/

/**
 * True for hosts that exist only on this machine or in one building: loopback, private, link-local and other addresses
 * that are not public, names without a dot, and names of no public top-level domain. An IPv4 address inside an
 * IPv6 address (mapped, NAT64, 6to4) counts as private whatever it is: nobody needs one, and it would go round the rule.
 */
export function isPrivateHost(host: string): boolean {
  const name = bare(host)
  if (name.includes(':')) return !/^[23][\da-f]{3}:/.test(name) || privateIpv6.test(name)
  if (/^[\d.]+$/.test(name)) return !/^\d+(?:\.\d+){3}$/.test(name) || privateIpv4.test(name)
  return !name.includes('.') || privateName.test(name)
}

/**
 * True if a text is an absolute URL. Not `URL.canParse`, which on Node 20 answers false for hosts with letters outside
 * of ASCII once it has been called often enough to be compiled (some thousand times).
 */
export function canParseUrl(text: string): boolean {
  try {
    new URL(text)
    return true
  } catch {
    return false
  }
}
