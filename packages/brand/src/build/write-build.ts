import { basename, join } from 'node:path'
import {
  assertFolder,
  assertOwnFiles,
  type FileContents,
  hasOwnList,
  type ListFile,
  updateFolder,
  updateOwnFiles,
} from '@hailstone/runtime/node'
import { MANIFEST_NAME, readBuildManifest, SIGNATURE_NAME } from './build-manifest.ts'

/** The manifest of a build, as the list of what it wrote. */
const MANIFEST: ListFile = {
  name: MANIFEST_NAME,
  read: (bytes) => {
    const manifest = readBuildManifest(bytes)
    return manifest === null ? null : new Map(manifest.outputs.map(({ path, sha256 }) => [path, sha256]))
  },
}

/** Returns true if a build was written into a folder, or was begun. */
export const isBuildFolder = (folder: string): Promise<boolean> => hasOwnList(folder, MANIFEST)

/** A build and its folders. */
export type WriteBuildParameters = {
  readonly out: string
  /** Folder of the files for whoever sets the host up. */
  readonly deploy: string
  readonly files: FileContents
  /** The manifest, and its signature if there is one, by their names. */
  readonly list: FileContents
  /** Files for whoever sets the host up. */
  readonly beside: FileContents
}

/**
 * Writes a build in place of the last one; everything else in the folders stays.
 *
 * @returns paths of the last build that are no longer written and were changed since: they were left
 * @throws {ForeignFileError} if a file that no build wrote, a changed one or a link is in the way of
 *   either folder; nothing is written then
 */
export async function writeBuild(parameters: WriteBuildParameters): Promise<readonly string[]> {
  const { out, deploy, files, list, beside } = parameters
  const bytes = list.get(MANIFEST_NAME)
  if (bytes === undefined) throw new Error('A build needs its manifest.')
  const signature = new Map([[SIGNATURE_NAME, list.get(SIGNATURE_NAME) ?? null]])
  const update = { folder: out, list: MANIFEST, files, bytes, beside: signature }
  const isBeside = await needsUpdate(deploy, beside)
  // A build is written whole or not at all, so both folders are looked at first.
  if (isBeside) await assertFolder(deploy, beside)
  await assertOwnFiles(update)
  const leftBeside = isBeside ? await updateFolder(deploy, beside) : []
  const left = await updateOwnFiles(update)
  return [...left, ...leftBeside.map((path) => join(basename(deploy), path))]
}

const needsUpdate = async (deploy: string, beside: FileContents): Promise<boolean> =>
  beside.size > 0 || (await hasOwnList(deploy))
