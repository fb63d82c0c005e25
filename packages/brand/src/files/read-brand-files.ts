import { readdir, readFile, realpath, stat } from 'node:fs/promises'
import { join, relative, sep } from 'node:path'
import type { BrandFiles } from '../checks/check-context.ts'
import { type Finding, finding } from '../findings/finding.ts'

const folders = ['assets', 'fonts', 'i18n', 'screens'] as const
const MAX_FILES = 200
/** Limit in bytes above which a file is not read. The checks report it. */
const LARGEST_BYTES = 2_000_000

export type ReadFiles = { readonly files: BrandFiles; readonly findings: readonly Finding[] }

/** Reads the files of a brand. Links that lead out of its folder are refused. */
export async function readBrandFiles(folder: string): Promise<ReadFiles> {
  const root = await realpath(folder)
  const paths = (await Promise.all(folders.map((name) => listed(join(root, name))))).flat().sort()
  const files = new Map<string, Uint8Array>()
  const findings: Finding[] = []
  for (const path of paths.slice(0, MAX_FILES)) {
    const name = relative(root, path).split(sep).join('/')
    const real = await realPathOf(path)
    if (real === null || !real.startsWith(root + sep)) {
      const found = real === null ? 'a link that leads nowhere' : 'a link out of the folder'
      findings.push(finding('asset-outside-folder', { path: name, found }))
    } else if ((await stat(real)).size > LARGEST_BYTES) {
      findings.push(finding('asset-too-large', { path: name, found: `more than ${LARGEST_BYTES} bytes` }))
    } else {
      files.set(name, new Uint8Array(await readFile(real)))
    }
  }
  return { files, findings }
}

/** Returns a path without links; null for a link to nothing. */
async function realPathOf(path: string): Promise<string | null> {
  try {
    return await realpath(path)
  } catch (error) {
    if (error instanceof Error && 'code' in error && ['ENOENT', 'ELOOP'].includes(String(error.code)))
      return null
    throw error
  }
}

/** Lists files below a folder without hidden ones; empty if the folder does not exist. */
async function listed(folder: string): Promise<readonly string[]> {
  try {
    const entries = await readdir(folder, { withFileTypes: true, recursive: true })
    return entries
      .filter((entry) => !entry.isDirectory() && !entry.name.startsWith('.'))
      .map((entry) => join(entry.parentPath, entry.name))
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return []
    throw error
  }
}
