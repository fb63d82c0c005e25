import { mkdir } from 'node:fs/promises'
import { homedir } from 'node:os'
import { join, resolve } from 'node:path'
import type { Terminal } from './terminal.ts'

/** Absolute path of the folder where commands keep locks and journals. Nothing secret is in it. */
export function dataFolder(
  given: { readonly data?: string | undefined },
  { environment }: Pick<Terminal, 'environment'>,
): string {
  return resolve(given.data ?? environment.HAILSTONE_DATA ?? join(homedir(), '.hailstone'))
}

/** A folder inside it, made when it is not there. */
export async function folderIn(data: string, name: string): Promise<string> {
  const path = join(data, name)
  await mkdir(path, { recursive: true, mode: 0o700 })
  return path
}
