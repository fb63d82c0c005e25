import type { ContestSettings } from './contest.ts'
import type { Outcome } from './outcome.ts'

export type SuiteParameters = {
  readonly settings: ContestSettings
  /** Says in one line what goes on. */
  readonly tell: (line: string) => void
}

/** Some benchmarks that share what they need. */
export type Suite = {
  readonly name: string
  readonly what: string
  readonly run: (parameters: SuiteParameters) => Promise<readonly Outcome[]>
}
