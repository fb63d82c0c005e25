import { lookup as systemLookup } from 'node:dns'
import { isIP, type LookupFunction } from 'node:net'
import { canParseUrl, isLoopbackHost, isPrivateHost } from '@hailstone/runtime'

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

/**
 * Creates the rule: https to public addresses; this machine itself if `allowsLoopback`; and hosts that are named, whatever
 * their addresses are. A name without that may not lead to an address of an inner network.
 */
export function createWebhookGate({
  allowedHosts = [],
  allowsLoopback,
  resolve = systemLookup as LookupFunction,
}: {
  /** Hosts of inner networks, with or without a port. @default none */
  readonly allowedHosts?: readonly string[] | undefined
  readonly allowsLoopback: boolean
  readonly resolve?: LookupFunction | undefined
}): WebhookGate {
  const allowed = new Set(allowedHosts.map((host) => host.toLowerCase()))
  const isAllowed = (host: string): boolean =>
    allowed.has(host.toLowerCase()) || (allowsLoopback && isLoopbackHost(host))
  return {
    refuse(text) {
      if (text.length > MAX_URL || !/^https?:\/\//i.test(text) || !canParseUrl(text))
        return `A webhook needs an address that begins with https:// and has at most ${MAX_URL} characters.`
      const { protocol, hostname, username, password } = new URL(text)
      if (username + password !== '')
        return 'The address carries a user or a password; what is sent is signed instead.'
      if (isAllowed(hostname)) return null
      if (isPrivateHost(hostname))
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
        else if (first === undefined || (isInner && !isAllowed(host))) callback(refusal, [])
        else if (options.all === true) callback(null, addresses)
        else callback(null, first.address, first.family)
      })
    },
  }
}
