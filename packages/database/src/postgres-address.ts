import { NodeError } from '@hailstone/protocol'
import { canParseUrl } from '@hailstone/runtime'

const EXPECTED = 'an address such as postgres://user@host:5432/database, or with several hosts: host1,host2'

const refused = (expected: string, found: string): NodeError =>
  new NodeError('CONFIGURATION_INVALID', { path: 'database', expected, found })

/** The hosts of a database: a primary and its standbys, or one server. */
export type PostgresHosts = {
  /** An address of one host each, in the order in which they are tried. At least one. */
  readonly urls: readonly [string, ...string[]]
  /** True if a connection must be to a server that takes writes, which a standby does not. */
  readonly mustTakeWrites: boolean
}

/** Parts of an address whose authority may name several hosts, which `URL` does not read. */
const FORM =
  /^(?<scheme>postgres(?:ql)?:\/\/)(?:(?<user>[^/?#]*)@)?(?<hosts>[^@/?#]*)(?<path>\/[^?#]*)?(?<query>\?[^#]*)?$/

/**
 * Reads an address as `libpq` has it: several hosts are separated by commas. A connection to one of several is kept only
 * if that server takes writes, unless `target_session_attrs=any` says otherwise.
 *
 * @throws {NodeError} `CONFIGURATION_INVALID` for anything but `postgres://` and `postgresql://`
 */
export function parsePostgresHosts(url: string): PostgresHosts {
  const { scheme, user, hosts = '', path = '', query = '' } = FORM.exec(url)?.groups ?? {}
  if (scheme === undefined) throw refused(EXPECTED, 'another text')
  const settings = new URLSearchParams(query)
  const target = settings.get('target_session_attrs')
  if (target !== null && !['any', 'read-write', 'primary'].includes(target))
    throw refused('target_session_attrs=read-write, primary or any', target)
  settings.delete('target_session_attrs')
  const rest = settings.size === 0 ? path : `${path}?${settings}`
  const [first = '', ...others] = hosts.split(',').map((host) => {
    const one = `${scheme}${user === undefined ? '' : `${user}@`}${host}${rest}`
    // Without a host the settings name a socket, or the driver's default applies.
    if ((host === '' && hosts !== '') || !canParseUrl(one)) throw refused(EXPECTED, 'another text')
    return one
  })
  const mustTakeWrites = target === null ? others.length > 0 : target !== 'any'
  return { urls: [first, ...others], mustTakeWrites }
}

/**
 * Returns an address whose statements look for tables in a schema; the server makes of a text in `options` what `set`
 * would. Further options of the address stay.
 *
 * @throws {NodeError} `CONFIGURATION_INVALID` for anything but `postgres://` and `postgresql://`
 */
export function withSchema(url: string, schema: string): string {
  parsePostgresHosts(url)
  const [address = '', query = ''] = url.split('?', 2)
  const settings = new URLSearchParams(query)
  const given = settings.get('options')
  // Blanks and backslashes divide options, and a name in quotes means what it says.
  const name = /^[a-z_][a-z0-9_]*$/.test(schema) ? schema : `"${schema.replaceAll('"', '""')}"`
  const option = `-c search_path=${name.replaceAll(/[\\\s]/g, '\\$&')}`
  settings.set('options', given === null ? option : `${given} ${option}`)
  return `${address}?${settings}`
}

/**
 * Returns true if an address carries a password.
 *
 * @throws {NodeError} `CONFIGURATION_INVALID` for anything but `postgres://` and `postgresql://`
 */
export function hasPassword(url: string): boolean {
  const { password, searchParams } = new URL(parsePostgresHosts(url).urls[0])
  return password !== '' || searchParams.has('password')
}

/**
 * The address of a database for people to read: without its password.
 *
 * @throws {NodeError} `CONFIGURATION_INVALID` for anything but `postgres://` and `postgresql://`
 */
export function postgresAddress(url: string): string {
  const { urls } = parsePostgresHosts(url)
  const parsed = new URL(urls[0])
  // An address can carry a password in its query too.
  const user = parsed.username === '' ? '' : `${parsed.username}@`
  const hosts = urls.map((one) => new URL(one).host)
  return `${parsed.protocol}//${user}${hosts.join(',')}${parsed.pathname}`
}
