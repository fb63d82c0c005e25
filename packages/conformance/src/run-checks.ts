import type { JsonValue } from '@hailstone/protocol'
import { asObject, type Case, casesOf, nameOf } from './case.ts'
import type { Check, GivenFile, Outcome } from './check.ts'
import type { ReadFile } from './read-folders.ts'

/** Result of one file. */
export type FileReport = {
  readonly path: string
  /** Recognised kind of the file; null if none. */
  readonly kind: string | null
  readonly outcomes: readonly Outcome[]
  /** Reason why the file is not checked; it then has no outcomes. */
  readonly leftOut?: string | undefined
}

/**
 * Runs each file through the check that recognises its shape. If no check knows every case, each case goes to the one
 * that knows it, and a case that none knows is a failure. A file that cannot be read, contains no known case or no
 * case at all, or is recognised by several checks, is a failure of its own.
 */
export async function* runChecks(
  files: readonly ReadFile[],
  checks: readonly Check[],
): AsyncGenerator<FileReport> {
  const given = files.filter((read): read is GivenFile => 'file' in read)
  for (const read of files) {
    if ('file' in read) yield await runFile(read, checks, given)
    else if ('leftOut' in read) yield { ...read, kind: null, outcomes: [] }
    else yield notUnderstood(read.path, read.problem)
  }
}

async function runFile(
  read: GivenFile,
  checks: readonly Check[],
  files: readonly GivenFile[],
): Promise<FileReport> {
  const matching = checks.filter((check) => check.recognises(read.file))
  const [check] = matching
  if (check === undefined) return runCases(read, checks, files)
  if (matching.length > 1) {
    return notUnderstood(read.path, `the shape is ambiguous: ${matching.map(({ kind }) => kind).join(', ')}`)
  }
  const outcomes = await outcomesOf(check, read, files)
  if (outcomes.length === 0) return notUnderstood(read.path, 'the file holds no case')
  return { path: read.path, kind: check.kind, outcomes }
}

/** Returns the cases of a file by the check that knows them; undefined for those that none knows. */
function partsOf(file: JsonValue, checks: readonly Check[]): ReadonlyMap<Check | undefined, readonly Case[]> {
  const parts = new Map<Check | undefined, Case[]>()
  for (const one of casesOf(file)) {
    const [check, ...others] = checks.filter(({ recognises }) =>
      recognises({ ...asObject(file), cases: [one] }),
    )
    const known = others.length === 0 ? check : undefined
    const part = parts.get(known) ?? []
    part.push(one)
    parts.set(known, part)
  }
  return parts
}

async function runCases(
  { path, file }: GivenFile,
  checks: readonly Check[],
  files: readonly GivenFile[],
): Promise<FileReport> {
  const kinds: string[] = []
  const outcomes: Outcome[] = []
  for (const [check, cases] of partsOf(file, checks)) {
    if (check === undefined) outcomes.push(...cases.map(unknownCase))
    else {
      kinds.push(check.kind)
      outcomes.push(...(await outcomesOf(check, { path, file: { ...asObject(file), cases } }, files)))
    }
  }
  if (kinds.length === 0) return notUnderstood(path, unknownShape(file))
  return { path, kind: kinds.join(', '), outcomes }
}

const unknownCase = (one: Case): Outcome => ({
  name: nameOf(one),
  verdict: 'failed',
  reason: 'not understood: the case has none of the known shapes',
})

const unknownShape = (file: JsonValue): string => {
  const { cases } = asObject(file)
  return Array.isArray(cases) && cases.length === 0
    ? 'the file holds no case'
    : 'the file has none of the known shapes'
}

async function outcomesOf(
  check: Check,
  read: GivenFile,
  files: readonly GivenFile[],
): Promise<readonly Outcome[]> {
  try {
    return await check.run(read.file, { files, path: read.path })
  } catch (error) {
    // Errors thrown by checks need no stack; our own faults do.
    const isOurs = error instanceof Error && error.name !== 'Error'
    const reason = isOurs ? (error.stack ?? error.message) : String(error)
    return [{ name: 'the whole file', verdict: 'failed', reason }]
  }
}

const notUnderstood = (path: string, reason: string): FileReport => ({
  path,
  kind: null,
  outcomes: [{ name: 'the whole file', verdict: 'failed', reason: `not understood: ${reason}` }],
})
