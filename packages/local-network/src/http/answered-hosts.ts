import { isIP } from 'node:net'
import { networkInterfaces } from 'node:os'
import { canParseUrl, isLoopbackHost } from '@hailstone/runtime'
import type { FastifyInstance } from 'fastify'
import { ApiRefusal } from './api-refusal.ts'

export type HostRules = {
  /** The address that is listened on. */
  readonly bound: string
  /** Names that are answered besides; `*` is every name. */
  readonly allowed: readonly string[]
}

/** The name in a Host header: lower case, without port, brackets and the dot of the root. */
export function hostNameOf(authority: string): string {
  const [, name = authority] = /^(\[[^\]]*\]|[^:]*)(?::\d*)?$/.exec(authority.trim()) ?? []
  return name
    .replace(/^\[(.*)\]$/, '$1')
    .replace(/\.$/, '')
    .toLowerCase()
}

const isAnyAddress = (host: string): boolean => host === '0.0.0.0' || host === '::'

/**
 * True if this server answers for a host name. A web page can point a name of its own at this machine, and its
 * scripts would then read and post as if they belonged here; no page can do that with an address or with a name that
 * always means this machine.
 */
export function isAnswered(host: string, { bound, allowed }: HostRules): boolean {
  if (isLoopbackHost(host) || host === hostNameOf(bound)) return true
  if (isAnyAddress(bound) && isIP(host) !== 0) return true
  return allowed.includes('*') || allowed.map(hostNameOf).includes(host)
}

/** An address as the system spells it, without the zone and the prefix that an IPv4 address has on an IPv6 socket. */
const plainAddress = (address: string): string =>
  address.replace(/^::ffff:(?=\d+\.)/i, '').replace(/%.*$/, '')

/** Time for which addresses of this machine are believed, in ms. Reading them takes as long as a whole upgrade. */
const ADDRESSES_MS = 5000
let known: { readonly addresses: ReadonlySet<string>; readonly untilMs: number } | null = null

function isOfThisMachine(host: string): boolean {
  if (known === null || performance.now() > known.untilMs) {
    const addresses = Object.values(networkInterfaces()).flatMap((all = []) => all)
    known = {
      addresses: new Set(addresses.map(({ address }) => plainAddress(address))),
      untilMs: performance.now() + ADDRESSES_MS,
    }
  }
  return known.addresses.has(host)
}

/**
 * True if a host name is known to mean this server. That is less than {@link isAnswered}: listening on every address a
 * server answers for all of them, and for every name where `*` is allowed, and such a name may mean another server.
 *
 * @param localAddress end of the connection on this machine
 */
export function isOwnHost(
  host: string,
  { bound, allowed }: HostRules,
  localAddress: string | undefined,
): boolean {
  if (isLoopbackHost(host) || host === hostNameOf(bound) || allowed.map(hostNameOf).includes(host))
    return true
  if (!isAnyAddress(bound) || isIP(host) === 0) return false
  return (localAddress !== undefined && plainAddress(localAddress) === host) || isOfThisMachine(host)
}

/**
 * Refuses requests for foreign names with 403, and with 400 what is no host and port: routes make addresses of it. Requests
 * without a name come from no browser.
 */
export function answerForOwnHosts(server: FastifyInstance, rules: HostRules): void {
  server.addHook('onRequest', async ({ headers }) => {
    if (headers.host === undefined) return
    const host = hostNameOf(headers.host)
    if (isAnswered(host, rules)) {
      if (canParseUrl(`http://${headers.host}`)) return
      throw new ApiRefusal(400, 'The header Host should be a host with a port from 0 to 65535.')
    }
    throw new ApiRefusal(
      403,
      `This node does not answer for the host ${host}; --allow-host would change that.`,
    )
  })
}
