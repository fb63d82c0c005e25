import { lookup as systemLookup } from 'node:dns'
import { isIP, type LookupFunction } from 'node:net'
import { canParseUrl, isLoopbackHost, isPrivateHost } from '@hailstone/runtime'
import { CommandLineError } from '@hailstone/runtime/node'

/** Rule for the places that webhooks may go to. */
export type WebhookGate = {
  /** Returns the sentence that refuses an address, or null. */
  readonly refuse: (url: string) => string | null
  /** Answers where a host is: the address that is connected to is the one that was checked. */
  readonly lookup: LookupFunction
}

const MAX_URL = 500

/** Returns the host or the mail address of a receiver, for people: paths and queries of receivers often hold a secret. */
export const hostOf = (url: string): string =>
  url.startsWith('mailto:') ? url.slice('mailto:'.length) : new URL(url).host

/** A host that is named; without a port any is meant. */
type AllowedHost = { readonly hostname: string; readonly port: string | null }

/** @throws {CommandLineError} */
function parseAllowedHost(text: string): AllowedHost {
  const host = isIP(text) === 6 ? `[${text}]` : text
  if (/[\s/?#@\\]/.test(host) || !canParseUrl(`http://${host}`))
    throw new CommandLineError(`--allow-webhook is a host, with a port or without one; it is "${text}".`)
  // A port that is usual for one of both is no port of its address.
  const [{ hostname, port }, { port: other }] = [new URL(`http://${host}`), new URL(`https://${host}`)]
  return { hostname, port: port || other || null }
}

const portOf = ({ protocol, port }: URL): string => port || (protocol === 'https:' ? '443' : '80')

/**
 * Creates the rule: https to public addresses; this machine itself if `allowsLoopback`; and hosts that are named, whatever
 * their addresses are. A name without that may not lead to an address of an inner network.
 *
 * @throws {CommandLineError} for a host that cannot be one
 */
export function createWebhookGate({
  allowedHosts = [],
  allowsLoopback,
  resolve = systemLookup as LookupFunction,
}: {
  /** Hosts of inner networks; one that is named with ports is allowed with these alone. @default none */
  readonly allowedHosts?: readonly string[] | undefined
  readonly allowsLoopback: boolean
  readonly resolve?: LookupFunction | undefined
}): WebhookGate {
  const allowed = allowedHosts.map(parseAllowedHost)
  const isHere = (host: string): boolean => allowsLoopback && isLoopbackHost(host)
  const isNamed = (host: string): boolean => allowed.some(({ hostname }) => hostname === host.toLowerCase())
  const isAllowed = (url: URL): boolean =>
    isHere(url.hostname) ||
    allowed.some(({ hostname, port }) => hostname === url.hostname && (port === null || port === portOf(url)))
  return {
    refuse(text) {
      if (text.length > MAX_URL || !/^https?:\/\//i.test(text) || !canParseUrl(text))
        return `A webhook needs an address that begins with https:// and has at most ${MAX_URL} characters.`
      const url = new URL(text)
      const { protocol, hostname, username, password } = url
      if (username + password !== '')
        return 'The address carries a user or a password; what is sent is signed instead.'
      if (isAllowed(url)) return null
      // Behind a name that is allowed with another port is an inner network as well.
      if (isPrivateHost(hostname) || isNamed(hostname))
        return 'The address leads into an inner network. --allow-webhook HOST allows it when the console starts.'
      return protocol === 'https:' ? null : 'The address should begin with https://.'
    },
    lookup(host, options, callback) {
      resolve(host, { ...options, all: true }, (error, found) => {
        const addresses = Array.isArray(found) ? found : []
        const isInner = addresses.some(({ address }) => isIP(address) === 0 || isPrivateHost(address))
        const refusal = Object.assign(new Error('The name leads into an inner network.'), {
          code: 'inner network',
        })
        const [first] = addresses
        if (error !== null) callback(error, [])
        else if (first === undefined || (isInner && !isHere(host) && !isNamed(host))) callback(refusal, [])
        else if (options.all === true) callback(null, addresses)
        else callback(null, first.address, first.family)
      })
    },
  }
}
