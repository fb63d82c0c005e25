import { resolve } from 'node:path'
import { readSignatureCheck } from '../build/signing-keys.ts'
import { verifyBuild } from '../build/verify-build.ts'
import type { Finding } from '../findings/finding.ts'
import type { CommandIo, ExitCode } from './command-io.ts'
import type { CommandWords } from './command-options.ts'
import { countLine, exitCodeOf, findingLines } from './print-findings.ts'

/** `build --verify`: names each file of a folder that differs from its manifest. Builds nothing. */
export async function verifyCommand(
  folder: string,
  { values }: CommandWords,
  io: CommandIo,
): Promise<ExitCode> {
  const { 'public-key': keyPath, json } = values
  const key = keyPath === undefined ? undefined : await readSignatureCheck(resolve(io.cwd, keyPath))
  if (key?.finding != null) return report(io, [key.finding], 'the build', json)
  const { manifest, findings } = await verifyBuild(resolve(io.cwd, folder), key?.use)
  const name = manifest === null ? 'the build' : `${manifest.brand}, ${manifest.outputs.length} files`
  return report(io, findings, key === undefined ? name : `${name}, signed`, json)
}

function report(
  io: CommandIo,
  findings: readonly Finding[],
  name: string,
  isForPrograms: boolean | undefined,
): ExitCode {
  const exitCode = exitCodeOf(findings)
  if (isForPrograms === true) io.write(JSON.stringify({ exitCode, findings }, null, 2))
  else for (const line of [...findingLines(findings), `${name}: ${countLine(findings)}`]) io.write(line)
  return exitCode
}
