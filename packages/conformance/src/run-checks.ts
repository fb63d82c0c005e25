import type { JsonValue } from '@hailstone/protocol'
import { asObject } from './case.ts'
import type { Check, GivenFile, Outcome } from './check.ts'
import type { ReadFile } from './read-folders.ts'

/** What became of one file. */
export type FileReport = {
  readonly path: string
  /** What the file was recognised as; null when it was not understood. */
  readonly kind: string | null
  readonly outcomes: readonly Outcome[]
  /** Why the file is none of ours; it has no outcomes then. */
  readonly leftOut?: string | undefined
}

/**
 * Runs each file through the one check that recognises its shape. A file that cannot be read, that no check
 * or more than one check recognises, or that holds no case, is a failure of its own.
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
  if (check === undefined) return notUnderstood(read.path, unknownShape(read.file))
  if (matching.length > 1) {
    return notUnderstood(read.path, `the shape is ambiguous: ${matching.map(({ kind }) => kind).join(', ')}`)
  }
  const outcomes = await outcomesOf(check, read, files)
  if (outcomes.length === 0) return notUnderstood(read.path, 'the file holds no case')
  return { path: read.path, kind: check.kind, outcomes }
}

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
    // What a check says itself needs no stack; a fault of ours does.
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
