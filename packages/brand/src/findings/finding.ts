import { codes, type FindingCode, type FindingName, type Severity } from './codes.ts'
import { redact } from './redact.ts'

/** One fault of a brand: place, expected, found, fix. */
export type Finding = {
  readonly code: FindingCode
  readonly name: FindingName
  readonly severity: Severity
  /** Place in the brand: `theme.primary`, `environments.prod.token.hash`, or a file such as `i18n/ru.json`. */
  readonly path: string
  readonly expected: string
  /** Never contains a complete secret or control characters. */
  readonly found: string
  readonly fix: string
  /** Value of a setting that ends the finding, where the check knows one. */
  readonly proposal?: { readonly path: string; readonly value: string } | undefined
}

export type FindingFacts = {
  readonly path: string
  readonly found: string
  readonly expected?: string | undefined
  readonly fix?: string | undefined
  readonly proposal?: Finding['proposal']
  readonly severity?: Severity | undefined
  /** True if the facts hold an identifier of the chain, which only looks like a key. @default false */
  readonly isPublic?: boolean | undefined
}

/** Creates a finding; omitted texts come from its code. */
export function finding(name: FindingName, facts: FindingFacts): Finding {
  const entry = codes[name]
  const guarded = facts.isPublic === true ? (text: string) => text : redact
  return {
    code: entry.code,
    name,
    severity: facts.severity ?? entry.severity,
    path: printable(guarded(facts.path)),
    expected: facts.expected ?? entry.expected,
    found: printable(guarded(facts.found)),
    fix: facts.fix ?? entry.fix,
    ...(facts.proposal === undefined ? {} : { proposal: facts.proposal }),
  }
}

const LONGEST = 160

// Control, invisible and direction-changing characters and lone surrogates: printed as numbers.
const unprintable = /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Zl}\p{Zp}]/gu

/** Returns a text that is safe to print on a terminal or page, shortened. */
export function printable(text: string): string {
  const visible = text.replace(unprintable, (character) => {
    const number = character.codePointAt(0) ?? 0
    return `\\u{${number.toString(16)}}`
  })
  return visible.length > LONGEST ? `${visible.slice(0, LONGEST - 1)}…` : visible
}

/** Formats a value of a brand for a finding. */
export function shown(value: unknown): string {
  if (value === undefined) return 'nothing'
  if (typeof value === 'string') return JSON.stringify(value)
  if (Array.isArray(value)) return `a list of ${value.length}`
  if (typeof value === 'object' && value !== null) return 'an object'
  return String(value)
}

/** Joins a path: keys with dots, indexes in brackets. */
export const joinPath = (parts: readonly PropertyKey[]): string =>
  parts.reduce<string>(
    (path, part) =>
      typeof part === 'number' ? `${path}[${part}]` : path === '' ? String(part) : `${path}.${String(part)}`,
    '',
  )

/** Keeps one finding per code and path, in order. */
export function distinct(findings: readonly Finding[]): readonly Finding[] {
  const seen = new Map<string, Finding>()
  for (const one of findings) {
    const key = `${one.code} ${one.path}`
    if (!seen.has(key)) seen.set(key, one)
  }
  return [...seen.values()]
}

/** True if one of the findings is an error. */
export const hasErrors = (findings: readonly Finding[]): boolean =>
  findings.some(({ severity }) => severity === 'error')
