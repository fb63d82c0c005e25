#!/usr/bin/env node
import { relative } from 'node:path'
import type { Outcome } from './check.ts'
import { checks } from './checks/index.ts'
import { DATABASE_VARIABLE } from './offline-api.ts'
import { readFolders } from './read-folders.ts'
import { type FileReport, runChecks } from './run-checks.ts'

const usage = `Usage: npm run conformance -- [--database postgres://…] DIR [DIR…]

Runs every JSON file of the folders through the check that knows its shape, not its name: vectors,
recorded ledgers and recorded HTTP exchanges. Where something is stored, it is stored in the embedded
engine, or on the server of --database, in schemas that are dropped afterwards. Prints a line for each file, then "N passed, M failed".
Exit code 0 when nothing failed, 1 when a case failed or a file was not understood, 2 for wrong use.`

const SHOWN_FAILURES = 20

const ofVerdict = <V extends Outcome['verdict']>(outcomes: readonly Outcome[], verdict: V) =>
  outcomes.filter((outcome): outcome is Extract<Outcome, { verdict: V }> => outcome.verdict === verdict)

function fileLine({ path, kind, outcomes, leftOut }: FileReport): string {
  if (leftOut !== undefined) return `--   ${relative(process.cwd(), path)}: left out, ${leftOut}`
  const [passed, failed, skipped] = (['passed', 'failed', 'skipped'] as const).map(
    (verdict) => ofVerdict(outcomes, verdict).length,
  )
  const counts = `${passed} passed, ${failed} failed${skipped === 0 ? '' : `, ${skipped} skipped`}`
  return `${failed === 0 ? 'ok  ' : 'FAIL'} ${relative(process.cwd(), path)} (${kind ?? 'unknown'}): ${counts}`
}

function* detailLines({ outcomes }: FileReport): Generator<string> {
  const failed = ofVerdict(outcomes, 'failed')
  for (const { name, reason } of failed.slice(0, SHOWN_FAILURES)) yield `       ${name}: ${reason}`
  if (failed.length > SHOWN_FAILURES) yield `       … and ${failed.length - SHOWN_FAILURES} more`
  const reasons = new Map<string, number>()
  for (const { reason } of ofVerdict(outcomes, 'skipped')) reasons.set(reason, (reasons.get(reason) ?? 0) + 1)
  for (const [reason, count] of reasons) yield `       ${count} skipped: ${reason}`
}

/** Removes the flag from the arguments. */
function placesOf(given: readonly string[]): readonly string[] {
  const at = given.indexOf('--database')
  if (at === -1) return given
  const database = given[at + 1]
  if (database === undefined) return []
  process.env[DATABASE_VARIABLE] = database
  return given.toSpliced(at, 2)
}

async function main(given: readonly string[]): Promise<number> {
  const places = placesOf(given)
  if (places.length === 0 || places.includes('--help')) {
    console.log(usage)
    return places.includes('--help') ? 0 : 2
  }
  const files = await readFolders(places)
  const all: Outcome[] = []
  for await (const report of runChecks(files, checks)) {
    console.log(fileLine(report))
    for (const line of detailLines(report)) console.log(line)
    all.push(...report.outcomes)
  }
  const [passed, failed, skipped] = (['passed', 'failed', 'skipped'] as const).map(
    (verdict) => ofVerdict(all, verdict).length,
  )
  if (all.length === 0) console.log('The folders hold no JSON file.')
  if ((skipped ?? 0) > 0) console.log(`${skipped} skipped`)
  console.log(`${passed} passed, ${failed} failed`)
  return failed === 0 && all.length > 0 ? 0 : 1
}

try {
  process.exitCode = await main(process.argv.slice(2))
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 2
}
