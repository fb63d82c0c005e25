import { NodeError } from '@hailstone/protocol'
import { canParseUrl, isLoopbackHost } from '@hailstone/runtime'

/**
 * Address of an API: its origin (`https://host:port`), and the same with the path in front of every endpoint, without
 * a trailing slash.
 */
export type ApiUrl = { readonly origin: string; readonly href: string }

/** A URL as errors may show it: without user, password, query and path. */
export const shownUrl = ({ protocol, host }: Pick<URL, 'protocol' | 'host'>): string => `${protocol}//${host}`

/** Returns a text that is not a URL as errors may show it: it may still hold a password or a key. */
const shownText = (text: string): string =>
  typeof text === 'string' && /^(?=.*[.:])[\w.:/[\]-]{1,100}$/.test(text) && !/\w{32}/.test(text)
    ? text
    : '(unreadable)'

/** Creates the refusal of an address, of which `url` is what may be shown. */
export const urlRefused = (url: string, reason: string): NodeError<'URL_REFUSED'> =>
  new NodeError('URL_REFUSED', { url, reason })

/**
 * Reads the base of an API. Encrypted transport is asked for unless the host is this machine.
 *
 * @throws {NodeError} `URL_REFUSED`, which never repeats credentials
 */
export function parseApiUrl(
  text: string,
  options: {
    /** Plain http to other hosts than this machine. @default false */
    readonly allowInsecure?: boolean | undefined
  } = {},
): ApiUrl {
  if (typeof text !== 'string' || !/^\w+:\/\//.test(text))
    throw urlRefused(shownText(text), 'it has no scheme, such as https://')
  if (!canParseUrl(text)) throw urlRefused(shownText(text), 'it is not a URL')
  const url = new URL(text)
  const fault = faultOf(url, options?.allowInsecure === true)
  if (fault !== null) throw urlRefused(shownUrl(url), fault)
  return { origin: url.origin, href: url.origin + url.pathname.replace(/\/+$/, '') }
}

function faultOf(url: URL, allowInsecure: boolean): string | null {
  const { protocol, hostname, username, password, search, hash } = url
  if (username + password !== '') return 'it carries credentials'
  if (protocol !== 'https:' && protocol !== 'http:') return 'it is neither https nor http'
  if (protocol === 'http:' && !allowInsecure && !isLoopbackHost(hostname)) {
    return 'plain http is only used for this machine unless allowInsecure is set and requireEncryption is not'
  }
  return search + hash === '' ? null : 'a base address has no query and no fragment'
}

/** Returns path and query of one request, relative to the base. */
export const requestTarget = ({
  path,
  query,
}: {
  readonly path: string
  readonly query?: string | undefined
}): string => (query ? `${path}?${query}` : path)
