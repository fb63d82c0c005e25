import { canParseUrl, isPrivateHost } from '@hailstone/runtime'
import { type Finding, finding, shown } from '../findings/finding.ts'
import { internationalLabels, isLookAlikeLabel, isPlainHost } from './host-rules.ts'

export type UrlDemands = {
  readonly path: string
  readonly text: string
  /** Required encrypted scheme. @default 'https' */
  readonly scheme?: 'https' | 'wss' | undefined
  /** True if private hosts are allowed, unencrypted included. */
  readonly allowsPrivate: boolean
  /** True if unencrypted public hosts are a warning instead of an error: native apps may use them. */
  readonly allowsCleartext?: boolean | undefined
  /** @default true */
  readonly allowsQuery?: boolean | undefined
}

// The URL parser tolerates blanks, tabs, line ends and backslashes; these rules do not.
const forbidden = /[\s\p{Cc}\p{Cf}"'<>\\^`{|}]/u

/** Returns everything wrong with an address that can be known without requesting it. */
export function urlFindings(demands: UrlDemands): readonly Finding[] {
  const { path, text, scheme = 'https' } = demands
  const found = shown(withoutCredentials(text))
  const spelled = /^([a-z][a-z0-9+.-]*):(\/\/)?/i.exec(text)
  const given = spelled?.[1]?.toLowerCase()
  if (given !== undefined && !['https', 'http', 'wss', 'ws'].includes(given)) {
    return [finding('scheme-refused', { path, expected: `${scheme}://…`, found })]
  }
  if (spelled?.[2] === undefined || forbidden.test(text) || !canParseUrl(text)) {
    return [finding('url-malformed', { path, expected: `${scheme}://host/…`, found })]
  }
  const url = new URL(text)
  const host = url.hostname
  if (!isPlainHost(host)) return [finding('host-malformed', { path, found: shown(host) })]
  return [
    ...credentialFindings(url, demands),
    ...hostFindings(host, demands),
    ...schemeFindings(url, demands, found),
    ...partFindings(url, demands, found),
  ]
}

const withoutCredentials = (text: string): string => text.replace(/\/\/[^/?#]*@/, '//…@')

function credentialFindings(url: URL, { path }: UrlDemands): readonly Finding[] {
  const isFine = url.password === '' && url.username === ''
  return isFine ? [] : [finding('url-has-credentials', { path, found: 'credentials (not shown)' })]
}

function hostFindings(host: string, { path, allowsPrivate }: UrlDemands): readonly Finding[] {
  const labels = internationalLabels(host)
  const alike = labels.find(isLookAlikeLabel)
  const international =
    alike !== undefined
      ? [finding('host-look-alike', { path, found: `"${alike}", which is ${host}` })]
      : labels.length > 0
        ? [finding('host-international', { path, found: `"${labels.join('.')}", which is ${host}` })]
        : []
  const isPrivate = isPrivateHost(host) && !allowsPrivate
  return isPrivate ? [...international, finding('host-private', { path, found: shown(host) })] : international
}

function schemeFindings(url: URL, demands: UrlDemands, found: string): readonly Finding[] {
  const { path, scheme = 'https', allowsPrivate, allowsCleartext = false } = demands
  const plain = scheme === 'wss' ? 'ws' : 'http'
  const given = url.protocol.slice(0, -1)
  if (given === scheme) return []
  if (given !== plain) return [finding('scheme-refused', { path, expected: `${scheme}://…`, found })]
  if (allowsPrivate && isPrivateHost(url.hostname)) return []
  return [
    finding(allowsCleartext ? 'cleartext-traffic' : 'scheme-insecure', {
      path,
      expected: `${scheme}://…`,
      found,
    }),
  ]
}

function partFindings(url: URL, { path, allowsQuery = true }: UrlDemands, found: string): readonly Finding[] {
  const hasParts = url.search !== '' || url.hash !== ''
  return hasParts && !allowsQuery ? [finding('url-part-refused', { path, found })] : []
}
