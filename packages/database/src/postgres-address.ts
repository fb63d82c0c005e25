import { NodeError } from '@hailstone/protocol'
import { canParseUrl } from '@hailstone/runtime'

const refused = (expected: string, found: string): NodeError =>
  new NodeError('CONFIGURATION_INVALID', { path: 'database', expected, found })

/**
 * The address of a database for people to read: without its password.
 *
 * @throws {NodeError} `CONFIGURATION_INVALID` for anything but `postgres://` and `postgresql://`
 */
export function postgresAddress(url: string): string {
  const parsed = canParseUrl(url) ? new URL(url) : null
  if (parsed === null || !['postgres:', 'postgresql:'].includes(parsed.protocol))
    throw refused('an address such as postgres://user@host:5432/database', 'another text')
  // An address can carry a password in its query too.
  const user = parsed.username === '' ? '' : `${parsed.username}@`
  return `${parsed.protocol}//${user}${parsed.host}${parsed.pathname}`
}
