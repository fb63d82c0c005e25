/** Severity of a finding: an error stops a build, a warning is printed. */
export type Severity = 'error' | 'warning'

/** One kind of finding, with default texts for `expected` and `fix`. */
export type CodeEntry = {
  readonly code: `E${number}`
  readonly severity: Severity
  readonly expected: string
  readonly fix: string
}

export const error = (code: CodeEntry['code'], expected: string, fix: string): CodeEntry => ({
  code,
  severity: 'error',
  expected,
  fix,
})

export const warning = (code: CodeEntry['code'], expected: string, fix: string): CodeEntry => ({
  code,
  severity: 'warning',
  expected,
  fix,
})
