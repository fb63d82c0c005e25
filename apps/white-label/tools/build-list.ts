import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import {
  brandFileOf,
  type FolderReport,
  MANIFEST_NAME,
  printBuildManifest,
  type ShellRequest,
  SIGNATURE_NAME,
} from '@hailstone/brand/tools'
import { appVersion, type Built } from './build-brand.ts'

type Files = ReadonlyMap<string, Uint8Array>

const below = (folder: string, files: Files): readonly (readonly [string, Uint8Array])[] =>
  [...files].map(([path, bytes]) => [`${folder}/${path}`, bytes])

/** Returns everything that a build reads from a brand's folder: settings, pictures, fonts and texts. */
async function brandInputs({ brandFolder }: ShellRequest, { files }: FolderReport): Promise<Files> {
  const name = await brandFileOf(brandFolder)
  if (name === null) return files
  return new Map([...files, [name, new Uint8Array(await readFile(join(brandFolder, name)))]])
}

/** Returns the manifest of a build's inputs and outputs, with a signature if a key is given. */
export async function buildList(request: ShellRequest, report: FolderReport, built: Built): Promise<Files> {
  const { brand, configHash } = report
  if (brand === null || configHash === null) throw new Error('This brand cannot be read.')
  const { environment, target, sign } = request
  const list = printBuildManifest({
    brand: brand.id,
    environment,
    target,
    version: await appVersion(),
    configHash,
    inputs: new Map([...below('brand', await brandInputs(request, report)), ...below('shell', built.shell)]),
    outputs: built.files,
  })
  const signature = sign === undefined ? [] : [[SIGNATURE_NAME, sign(list)] as const]
  return new Map([[MANIFEST_NAME, list], ...signature])
}
