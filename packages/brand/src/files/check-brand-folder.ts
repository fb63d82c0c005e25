import { stat } from 'node:fs/promises'
import { basename, dirname, resolve } from 'node:path'
import { openPictureCheck } from '../assets/picture-findings.ts'
import { type BrandReport, type CheckBrandParameters, checkBrand } from '../checks/check-brand.ts'
import type { BrandFiles } from '../checks/check-context.ts'
import { distinct, finding, hasErrors } from '../findings/finding.ts'
import { loadBrandConfig } from './load-brand-config.ts'
import { readBrandFiles } from './read-brand-files.ts'

export type CheckBrandFolderParameters = Omit<CheckBrandParameters, 'source'> & {
  readonly folder: string
  /** Content to check in place of the brand file, before it is written. */
  readonly config?: unknown
}

/** Result of {@link checkBrandFolder}: the report, and the files that were read. */
export type FolderReport = BrandReport & { readonly files: BrandFiles }

const noFiles: BrandFiles = new Map()

/** Loads a brand from its folder and checks it, pictures included. No network access. */
export async function checkBrandFolder(parameters: CheckBrandFolderParameters): Promise<FolderReport> {
  const { folder, ...options } = parameters
  if (!(await isFolder(folder))) {
    const missing = finding('brand-not-found', { path: folder, found: 'no such folder' })
    return { findings: [missing], brand: null, configHash: null, files: noFiles }
  }
  const { config, findings: loading } =
    options.config === undefined
      ? await loadBrandConfig(folder)
      : { config: options.config, findings: [] as const }
  if (loading.length > 0) return { findings: loading, brand: null, configHash: null, files: noFiles }
  const { files, findings: reading } = await readBrandFiles(folder)
  const source = { config, files, folderName: folderNameOf(folder) }
  const report = checkBrand({ ...options, source })
  const pictures = (await openPictureCheck())(report, files)
  return { ...report, findings: distinct([...reading, ...report.findings, ...pictures]), files }
}

/**
 * Returns the name that the id of a brand must equal. Undefined for a brand in a folder of its own, which may have any
 * name: only below `brands/` a brand is named by its folder.
 */
export function folderNameOf(folder: string): string | undefined {
  const path = resolve(folder)
  return basename(dirname(path)) === 'brands' ? basename(path) : undefined
}

async function isFolder(path: string): Promise<boolean> {
  try {
    return (await stat(path)).isDirectory()
  } catch (error) {
    if (error instanceof Error && 'code' in error) return false
    throw error
  }
}

/** True if the brand has no errors and may be built. */
export const isReady = (report: FolderReport): boolean => report.brand !== null && !hasErrors(report.findings)
