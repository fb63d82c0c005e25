import { NodeError } from '@hailstone/protocol'
import { nearestWord } from '@hailstone/runtime'

/** The two parts of a network, as outages and faults name them. */
const networkParts = ['api', 'gateway'] as const

/** Part of a network: its API or its gateway. */
export type NetworkPart = (typeof networkParts)[number]

/** Words of other tools for the same parts. */
const synonyms: Readonly<Record<string, NetworkPart>> = {
  http: 'api',
  https: 'api',
  rest: 'api',
  ws: 'gateway',
  wss: 'gateway',
  socket: 'gateway',
  websocket: 'gateway',
}

/** Returns a value as a short text; numbers of JSON may be bigint. */
export function shown(value: unknown): string {
  if (value === undefined) return 'nothing'
  const text =
    JSON.stringify(value, (_, one) => (typeof one === 'bigint' ? String(one) : one)) ?? typeof value
  return text.length > 80 ? `${text.slice(0, 77)}…` : text
}

/** Returns the refusal of a word that names no part: what is allowed, and which one was probably meant. */
export function partRefused(path: string, found: unknown): NodeError {
  const word = typeof found === 'string' ? found : ''
  const meant = synonyms[word.toLowerCase()] ?? nearestWord(word, networkParts)
  const hint = meant === undefined || word === '' ? '' : `; did you mean "${meant}"?`
  return new NodeError('CONFIGURATION_INVALID', {
    path,
    expected: `one of ${networkParts.join(', ')}${hint}`,
    found: shown(found),
  })
}

/**
 * Returns the part that a word names.
 *
 * @param path where the word stands, for the error
 * @throws {NodeError} `CONFIGURATION_INVALID` for any other word
 */
export function parsePart(path: string, found: unknown): NetworkPart {
  const part = networkParts.find((one) => one === found)
  if (part === undefined) throw partRefused(path, found)
  return part
}
