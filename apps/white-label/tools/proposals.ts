import type { Finding } from '@hailstone/brand/check'
import { type PlainObject, settingAt } from './brand-draft.ts'

/** A value of one setting that ends a finding; null leaves the setting out. */
export type Proposal = { readonly path: string; readonly value: unknown }

const SHORT_COLOUR = /^#?([0-9a-f])([0-9a-f])([0-9a-f])$/i
const HOST_AND_PATH = /^[a-z0-9-]+(?:\.[a-z0-9-]+)+(?::\d+)?(?:\/\S*)?$/i

const colourOf = (text: string): string | undefined => {
  const full =
    /^#?([0-9a-f]{6})$/i.exec(text)?.[1] ??
    SHORT_COLOUR.exec(text)
      ?.slice(1)
      .flatMap((one) => [one, one])
      .join('')
  return full && `#${full.toLowerCase()}`
}

const encrypted = (text: string): string | undefined =>
  /^(?:http|ws):\/\//i.test(text)
    ? text.replace(/^(http|ws)/i, (scheme) => `${scheme.toLowerCase()}s`)
    : undefined

/** Returns the address with what it lacks: its scheme, or both slashes. */
function addressOf(text: string, path: string): string | undefined {
  const scheme = path.startsWith('network.poa') ? 'wss' : 'https'
  const rest = text.replace(/^[a-z]+:\/?(?!\/)/i, '')
  return HOST_AND_PATH.test(rest) ? `${scheme}://${rest}` : undefined
}

const pairsOf = (text: string): string | undefined => {
  const digits = text.replace(/[^0-9a-f]/gi, '').toUpperCase()
  return digits.length === 64 ? digits.match(/../g)?.join(':') : undefined
}

const matching = (text: string, pattern: RegExp): string | undefined =>
  pattern.test(text) ? text : undefined

/** Corrections by the name of the finding. They get the text without blanks around it. */
const corrections: Readonly<Record<string, (text: string, path: string) => string | undefined>> = {
  'colour-malformed': colourOf,
  'scheme-insecure': encrypted,
  'url-malformed': addressOf,
  'url-has-credentials': (text) => text.replace(/\/\/[^/?#]*@/, '//'),
  'token-hash-malformed': (text) => matching(text.replace(/^0x/i, '').toLowerCase(), /^[0-9a-f]{64}$/),
  'ticker-malformed': (text) => matching(text.toUpperCase(), /^[A-Z]{1,6}$/),
  'id-malformed': (text) =>
    matching(
      text
        .toLowerCase()
        .replace(/[^a-z0-9]+/g, '-')
        .replace(/^[-0-9]+|-+$/g, ''),
      /^[a-z][a-z0-9-]{1,30}$/,
    ),
  'email-malformed': (text) => matching(text.replace(/^mailto:/i, ''), /^\S+@\S+$/),
  'team-id-malformed': (text) => matching(text.toUpperCase(), /^[A-Z0-9]{10}$/),
  'deep-link-host-malformed': (text) =>
    text
      .replace(/^[a-z]+:\/\//i, '')
      .replace(/[/?#].*$/, '')
      .toLowerCase(),
  'fingerprint-malformed': pairsOf,
}

/** Returns the setting that a finding is about, with the place in its list; null for findings of other layers. */
function placeOf(path: string): { readonly setting: string; readonly index: number | null } | null {
  const [, setting, index] = /^([\w.]+)(?:\[(\d+)\])?$/.exec(path) ?? []
  if (setting === undefined || setting.startsWith('environments.')) return null
  return { setting, index: index === undefined ? null : Number(index) }
}

function valueFor({ name, path, proposal }: Finding, config: PlainObject): Proposal | null {
  if (proposal !== undefined) return proposal
  const place = placeOf(path)
  if (place === null) return null
  const { setting, index } = place
  const given = settingAt(config, setting)
  if (given === undefined) return null
  if (name === 'setting-without-effect') return { path: setting, value: null }
  const text: unknown = index !== null && Array.isArray(given) ? given[index] : given
  if (typeof text !== 'string') return null
  const value = corrections[name]?.(text.trim(), setting)
  if (value === undefined || value === '' || value === text) return null
  return {
    path: setting,
    value:
      index !== null && Array.isArray(given) ? given.map((one, at) => (at === index ? value : one)) : value,
  }
}

/** Returns the change that ends a finding, or null. A change after which the finding is still there is not proposed. */
export function proposalFor(
  finding: Finding,
  config: PlainObject,
  findingsWith: (proposal: Proposal) => readonly Finding[],
): Proposal | null {
  const proposal = valueFor(finding, config)
  if (proposal === null) return null
  // A colour that passes in one mode may lack contrast in the other, which is a finding of its own.
  const mayFollow = finding.proposal !== undefined
  const isSame = ({ path, code, found }: Finding): boolean =>
    path === finding.path && (found === finding.found || (code === finding.code && !mayFollow))
  return findingsWith(proposal).some(isSame) ? null : proposal
}
