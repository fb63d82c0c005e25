import { assertPlainFiles, replaceFile } from '@hailstone/runtime/node'

/**
 * Writes files below a folder, each in place of one of its name, and creates missing folders. Goes through no link.
 *
 * @throws {ForeignFileError} if a link or a folder is in the way of one; nothing is written then
 */
export async function writeFiles(folder: string, files: ReadonlyMap<string, Uint8Array>): Promise<void> {
  await assertPlainFiles(folder, files.keys())
  for (const [path, bytes] of files) await replaceFile(folder, path, bytes)
}
