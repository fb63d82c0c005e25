import type { NodeError } from '@hailstone/protocol'
import { shownUrl, urlRefused } from './api-url.ts'

export const isRedirect = (status: number): boolean => [301, 302, 303, 307, 308].includes(status)

/** More in a row is a loop. */
const MAX_REDIRECTS = 3

/** The refusal of a redirect; only the origin of its target is named. */
const redirectRefused = (target: URL | null, reason: string): NodeError<'URL_REFUSED'> =>
  urlRefused(target === null ? '(not named)' : shownUrl(target), reason)

/** The refusal of a redirected POST, which is never sent twice. */
export const postRedirected = (target: URL | null): NodeError<'URL_REFUSED'> =>
  redirectRefused(target, 'a POST is not redirected')

function targetOf(location: string, from: string): URL | null {
  try {
    return new URL(location, from)
  } catch {
    return null
  }
}

/**
 * Returns the target of a redirect: for a GET within its own origin. A POST is never sent twice, and nothing is sent
 * to a host that was not configured.
 *
 * @throws {NodeError} `URL_REFUSED`
 */
export function followRedirect(parameters: {
  readonly method: 'GET' | 'POST'
  readonly from: string
  readonly location: string | null
  readonly hops: number
}): URL {
  const { method, from, location, hops } = parameters
  const target = location === null ? null : targetOf(location, from)
  if (method === 'POST') throw postRedirected(target)
  if (target === null) throw redirectRefused(null, 'the redirect names no usable target')
  if (target.origin !== new URL(from).origin) throw redirectRefused(target, 'it redirects to another origin')
  if (hops >= MAX_REDIRECTS) throw redirectRefused(target, `more than ${MAX_REDIRECTS} redirects in a row`)
  return target
}
