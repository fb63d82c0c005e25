import { NodeError } from '@hailstone/protocol'

/** Where an API lives: `https://host:port` and the path in front of every endpoint, without a slash at its end. */
export type ApiUrl = { readonly origin: string; readonly basePath: string; readonly href: string }

/** Names and addresses of the machine itself, as the URL parser normalises them. */
const isLoopback = (hostname: string): boolean =>
  hostname === 'localhost' ||
  hostname.endsWith('.localhost') ||
  hostname === '[::1]' ||
  /^127\.\d{1,3}\.\d{1,3}\.\d{1,3}$/.test(hostname)

/** A URL as errors may show it: without user, password, query and path. */
export const shownUrl = (url: URL): string => `${url.protocol}//${url.host}`

const refused = (url: string, reason: string): NodeError => new NodeError('URL_REFUSED', { url, reason })

function parsedUrl(text: string): URL {
  try {
    return new URL(text)
  } catch {
    // The text is not repeated: what is not a URL may still hold a password.
    throw refused('(unreadable)', 'it is not a URL')
  }
}

/**
 * Reads the base of an API. Encrypted transport is asked for unless the host is this machine.
 *
 * @throws {NodeError} `URL_REFUSED`, which never repeats credentials
 */
export function parseApiUrl(
  text: string,
  options: { readonly allowInsecure?: boolean | undefined } = {},
): ApiUrl {
  const url = parsedUrl(text)
  const shown = shownUrl(url)
  if (url.username !== '' || url.password !== '') throw refused(shown, 'it carries credentials')
  if (url.protocol !== 'https:' && url.protocol !== 'http:')
    throw refused(shown, 'it is neither https nor http')
  if (url.protocol === 'http:' && options.allowInsecure !== true && !isLoopback(url.hostname)) {
    throw refused(shown, 'plain http is only used for this machine unless allowInsecure is set')
  }
  if (url.search !== '' || url.hash !== '')
    throw refused(shown, 'a base address has no query and no fragment')
  const basePath = url.pathname.replace(/\/+$/, '')
  return { origin: url.origin, basePath, href: url.origin + basePath }
}

/** The path and query of one request below a base. */
export const requestTarget = (
  { basePath }: Pick<ApiUrl, 'basePath'>,
  { path, query = '' }: { readonly path: string; readonly query?: string | undefined },
): string => `${basePath}${path}${query === '' ? '' : `?${query}`}`
