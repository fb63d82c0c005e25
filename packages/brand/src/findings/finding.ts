import { codes, type FindingCode, type FindingName, type Severity } from './codes.ts'
import { redact } from './redact.ts'

/** One thing that is wrong with a brand: where, what was expected, what was found, what to do. */
export type Finding = {
  readonly code: FindingCode
  readonly name: FindingName
  readonly severity: Severity
  /** Where in the brand: `theme.primary`, `environments.prod.token.hash`, or a file as `i18n/ru.json`. */
  readonly path: string
  readonly expected: string
  /** Never the whole of a secret, and never a character a terminal would act on. */
  readonly found: string
  readonly fix: string
}

export type FindingFacts = {
  readonly path: string
  readonly found: string
  readonly expected?: string | undefined
  readonly fix?: string | undefined
  readonly severity?: Severity | undefined
  /** The facts hold an identifier of the chain, which only looks like a key. @default false */
  readonly isPublic?: boolean | undefined
}

/** A finding of one kind; what is not said comes from the table of codes. */
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
  }
}

const LONGEST = 160

// Controls, invisible and direction-changing characters, lone surrogates: shown by number.
const unprintable = /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Zl}\p{Zp}]/gu

/** A text that is safe to print on a terminal or a page, shortened. */
export function printable(text: string): string {
  const visible = text.replace(unprintable, (character) => {
    const number = character.codePointAt(0) ?? 0
    return `\\u{${number.toString(16)}}`
  })
  return visible.length > LONGEST ? `${visible.slice(0, LONGEST - 1)}…` : visible
}

/** A value of a brand as a finding shows it. */
export function shown(value: unknown): string {
  if (value === undefined) return 'nothing'
  if (typeof value === 'string') return JSON.stringify(value)
  if (Array.isArray(value)) return `a list of ${value.length}`
  if (typeof value === 'object' && value !== null) return 'an object'
  return String(value)
}

/** Joins a path: keys with dots, places in lists in brackets. */
export const joinPath = (parts: readonly PropertyKey[]): string =>
  parts.reduce<string>(
    (path, part) =>
      typeof part === 'number' ? `${path}[${part}]` : path === '' ? String(part) : `${path}.${String(part)}`,
    '',
  )

/** One finding for each code and place, in the order they were made. */
export function distinct(findings: readonly Finding[]): readonly Finding[] {
  const seen = new Map<string, Finding>()
  for (const one of findings) {
    const key = `${one.code} ${one.path}`
    if (!seen.has(key)) seen.set(key, one)
  }
  return [...seen.values()]
}

export const hasErrors = (findings: readonly Finding[]): boolean =>
  findings.some(({ severity }) => severity === 'error')
