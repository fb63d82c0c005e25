import type { Finding } from '../findings/finding.ts'
import { isUnreachable } from '../online/check-brand-online.ts'
import type { ExitCode } from './command-io.ts'

/** Formats findings for people: place, expected, found, fix. */
export const findingLines = (findings: readonly Finding[]): readonly string[] =>
  findings.flatMap(({ code, name, severity, path, expected, found, fix }) => [
    `${severity === 'error' ? 'error  ' : 'warning'} ${code} ${name}  ${path}`,
    `          expected  ${expected}`,
    `          found     ${found}`,
    `          fix       ${fix}`,
  ])

export const countLine = (findings: readonly Finding[]): string => {
  const errors = findings.filter(({ severity }) => severity === 'error').length
  const warnings = findings.length - errors
  const count = (number: number, word: string): string => `${number} ${word}${number === 1 ? '' : 's'}`
  return `${count(errors, 'error')}, ${count(warnings, 'warning')}`
}

/** Exit code of findings. Errors outrank unreachable hosts. */
export function exitCodeOf(findings: readonly Finding[]): ExitCode {
  const errors = findings.filter(({ severity }) => severity === 'error')
  if (errors.some((one) => !isUnreachable(one))) return 1
  return errors.length > 0 ? 2 : 0
}
