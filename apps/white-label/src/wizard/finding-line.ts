import type { Finding } from './verdicts.ts'

/** Returns a finding in one line beside its field: with what was expected there. */
export const findingLine = ({
  code,
  expected,
  found,
  fix,
}: Omit<Finding, 'path' | 'severity' | 'proposal'>) =>
  `${code}: expected ${expected.replace(/\.$/, '')}; found ${found}. ${fix}`
