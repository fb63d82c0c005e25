import { resolve } from 'node:path'
import { readSignatureCheck } from '../build/signing-keys.ts'
import { type BuildReport, verifyBuild } from '../build/verify-build.ts'
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
  if (key?.finding != null) return report(io, { findings: [key.finding], unchecked: [] }, 'the build', json)
  const { manifest, findings, unchecked } = await verifyBuild(resolve(io.cwd, folder), key?.use)
  const name = manifest === null ? 'the build' : `${manifest.brand}, ${manifest.outputs.length} files`
  return report(io, { findings, unchecked }, key === undefined ? name : `${name}, signed`, json)
}

function report(
  io: CommandIo,
  { findings, unchecked }: Omit<BuildReport, 'manifest'>,
  name: string,
  isForPrograms: boolean | undefined,
): ExitCode {
  const exitCode = exitCodeOf(findings)
  if (isForPrograms === true) io.write(JSON.stringify({ exitCode, findings, unchecked }, null, 2))
  else {
    for (const line of findingLines(findings)) io.write(line)
    const tops = [...new Set(unchecked.map((path) => path.replace(/\/.*/, '/')))]
    if (tops.length > 0) io.write(`made by Capacitor and installers, not compared: ${tops.join(', ')}`)
    io.write(`${name}: ${countLine(findings)}`)
  }
  return exitCode
}
