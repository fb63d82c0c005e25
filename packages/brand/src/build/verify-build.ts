import { readdir, readFile } from 'node:fs/promises'
import { join, relative, sep } from 'node:path'
import { type Finding, finding } from '../findings/finding.ts'
import {
  type BuildManifest,
  MANIFEST_NAME,
  readBuildManifest,
  SIGNATURE_NAME,
  sha256Of,
} from './build-manifest.ts'
import type { SignatureCheck } from './signing-keys.ts'

export type BuildReport = { readonly manifest: BuildManifest | null; readonly findings: readonly Finding[] }

/**
 * Compares a folder with its manifest, and the manifest with its signature.
 *
 * @param isSigned verifies the signature; if undefined, the signature is not read
 */
export async function verifyBuild(
  folder: string,
  isSigned: SignatureCheck | undefined,
): Promise<BuildReport> {
  const bytes = await readIfThere(join(folder, MANIFEST_NAME))
  if (bytes === null) {
    const missing = finding('build-manifest-missing', { path: folder, found: 'none' })
    return { manifest: null, findings: [missing] }
  }
  const manifest = readBuildManifest(bytes)
  if (manifest === null) {
    const malformed = finding('build-manifest-malformed', { path: MANIFEST_NAME, found: 'another text' })
    return { manifest, findings: [malformed] }
  }
  const signature = await readIfThere(join(folder, SIGNATURE_NAME))
  const findings = [
    ...signatureFindings(bytes, signature, isSigned),
    ...(await fileFindings(folder, manifest)),
  ]
  return { manifest, findings }
}

function signatureFindings(
  bytes: Uint8Array,
  signature: Uint8Array | null,
  isSigned: SignatureCheck | undefined,
): readonly Finding[] {
  const path = SIGNATURE_NAME
  if (isSigned === undefined)
    return signature === null ? [] : [finding('signature-unchecked', { path, found: 'no --public-key' })]
  if (signature === null) return [finding('signature-missing', { path, found: 'none' })]
  return isSigned(bytes, signature)
    ? []
    : [finding('signature-wrong', { path, found: 'another signature, or a changed list' })]
}

async function fileFindings(folder: string, manifest: BuildManifest): Promise<readonly Finding[]> {
  const { plain, all } = await pathsIn(folder)
  const listed = new Set(manifest.outputs.map(({ path }) => path))
  const findings: Finding[] = []
  for (const { path, sha256 } of manifest.outputs) {
    // A symbolic link is not what was built.
    const bytes = plain.has(path) ? await readIfThere(join(folder, path)) : null
    if (bytes === null) findings.push(finding('build-file-missing', { path, found: 'no such file' }))
    else if (sha256Of(bytes) !== sha256) findings.push(differs(path, sha256, sha256Of(bytes)))
  }
  const strange = all.filter((path) => !listed.has(path) && isOurs(path, manifest)).toSorted()
  return [...findings, ...strange.map((path) => finding('build-file-unexpected', { path, found: 'a file' }))]
}

const differs = (path: string, expected: string, found: string): Finding =>
  finding('build-file-differs', {
    path,
    expected: `SHA-256 ${expected}`,
    found: `SHA-256 ${found}`,
    isPublic: true,
  })

/** True if the file belongs to the build. In Capacitor projects only the two served folders do. */
function isOurs(path: string, { target }: BuildManifest): boolean {
  if (path === MANIFEST_NAME || path === SIGNATURE_NAME) return false
  return target === 'web' || target === 'pwa' || path.startsWith('www/') || path.startsWith('brand/')
}

/** Lists the entries of a folder except folders, with forward slashes: all of them, and the regular files. */
async function pathsIn(folder: string) {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const found = entries
    .filter((entry) => !entry.isDirectory())
    .map((entry) => ({
      path: relative(folder, join(entry.parentPath, entry.name)).split(sep).join('/'),
      isPlain: entry.isFile(),
    }))
  const plain = new Set(found.filter(({ isPlain }) => isPlain).map(({ path }) => path))
  return { plain, all: found.map(({ path }) => path) }
}

async function readIfThere(path: string): Promise<Uint8Array | null> {
  try {
    return new Uint8Array(await readFile(path))
  } catch (error) {
    if (error instanceof Error && 'code' in error) return null
    throw error
  }
}
