import { isIPv6 } from 'node:net'

/** Leading groups of 16 bits that a provider gives to one customer: a /64. */
const CUSTOMER_GROUPS = 4

/**
 * Returns what an address is counted by. One customer has 2^64 IPv6 addresses, so these are counted by their /64. An IPv4
 * address that is written as IPv6, as sockets of both kinds write it, is that IPv4 address. A port, as some proxies append
 * it, does not count.
 *
 * @param groupCount leading groups of 16 bits that are one; 3 for a site, which has a /48
 */
export function addressBlock(address: string, groupCount: number = CUSTOMER_GROUPS): string {
  const bare = address.replace(/^\[(.*)\](?::\d+)?$/, '$1').replace(/%.*$/, '')
  if (!isIPv6(bare)) return address.replace(/^([\d.]+):\d+$/, '$1')
  const [, mapped] = /^::ffff:([\d.]+)$/i.exec(bare) ?? []
  if (mapped !== undefined) return mapped
  // The parser of URLs writes each address in one way.
  const canonical = new URL(`ws://[${bare}]`).hostname.slice(1, -1)
  const [head = '', tail] = canonical.split('::')
  const first = head === '' ? [] : head.split(':')
  const last = tail === undefined || tail === '' ? [] : tail.split(':')
  const zeros = Array.from({ length: tail === undefined ? 0 : 8 - first.length - last.length }, () => '0')
  const groups = [...first, ...zeros, ...last]
  if (groups.slice(0, 5).every((group) => group === '0') && groups[5] === 'ffff')
    return dotted(groups.slice(6))
  return `${groups.slice(0, groupCount).join(':')}::/${16 * groupCount}`
}

const dotted = (groups: readonly string[]): string =>
  groups
    .flatMap((group) => {
      const value = Number.parseInt(group, 16)
      return [value >> 8, value & 0xff]
    })
    .join('.')
