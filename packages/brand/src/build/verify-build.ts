import { readdir, readFile, realpath } from 'node:fs/promises'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { type Finding, finding } from '../findings/finding.ts'
import {
  type BuildManifest,
  MANIFEST_NAME,
  readBuildManifest,
  SIGNATURE_NAME,
  sha256Of,
} from './build-manifest.ts'
import { isOfTools, pluginsOf, type Verdict, verdictOf } from './capacitor-files.ts'
import type { SignatureCheck } from './signing-keys.ts'

export type BuildReport = {
  readonly manifest: BuildManifest | null
  readonly findings: readonly Finding[]
  /** Files and folders of a Capacitor project that installers and tools made, and that nothing was compared with. */
  readonly unchecked: readonly string[]
}

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
    return { manifest: null, findings: [missing], unchecked: [] }
  }
  const manifest = readBuildManifest(bytes)
  if (manifest === null) {
    const malformed = finding('build-manifest-malformed', { path: MANIFEST_NAME, found: 'another text' })
    return { manifest, findings: [malformed], unchecked: [] }
  }
  const signature = await readIfThere(join(folder, SIGNATURE_NAME))
  const { findings, unchecked } = await filesOf(folder, manifest)
  return { manifest, findings: [...signatureFindings(bytes, signature, isSigned), ...findings], unchecked }
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

async function filesOf(folder: string, manifest: BuildManifest): Promise<Omit<BuildReport, 'manifest'>> {
  const isServed = manifest.target === 'web' || manifest.target === 'pwa'
  const { entries, skipped } = await entriesIn(folder, isServed ? isRepository : isOfTools)
  const listed = new Map(manifest.outputs.map(({ path, sha256 }) => [path, sha256]))
  const findings: Finding[] = []
  for (const [path, sha256] of listed) {
    // A symbolic link is not what was built.
    const bytes = entries.get(path) === 'file' ? await readIfThere(join(folder, path)) : null
    if (bytes === null) findings.push(finding('build-file-missing', { path, found: 'no such file' }))
    else if (sha256Of(bytes) !== sha256) findings.push(differs(path, sha256, sha256Of(bytes)))
  }
  const strange = [...entries.keys()]
    .filter((path) => !listed.has(path) && path !== MANIFEST_NAME && path !== SIGNATURE_NAME)
    .toSorted()
  if (isServed) return { findings: [...findings, ...strange.map(unexpected)], unchecked: [] }
  const unchecked = skipped.filter((path) => !isRepository(path))
  const { appId = '' } = (await jsonIn(folder, 'capacitor.config.json')) ?? {}
  for (const path of strange) {
    const isFile = entries.get(path) === 'file'
    const verdict = isFile ? verdictOf(path, appId) : 'foreign'
    if (verdict === 'made') unchecked.push(path)
    else findings.push(...(await verdictFindings(folder, path, verdict, listed)))
  }
  return { findings: [...findings, ...(await pluginFindings(folder))], unchecked: unchecked.toSorted() }
}

/** The repository of whoever publishes the folder is no part of it. */
const isRepository = (path: string): boolean => path === '.git'

const unexpected = (path: string): Finding => finding('build-file-unexpected', { path, found: 'a file' })

async function verdictFindings(
  folder: string,
  path: string,
  verdict: Exclude<Verdict, 'made'>,
  listed: ReadonlyMap<string, string>,
): Promise<readonly Finding[]> {
  if (verdict === 'harmless') return []
  if (verdict === 'foreign') return [unexpected(path)]
  const bytes = (await readIfThere(join(folder, path))) ?? new Uint8Array()
  if ('copyOf' in verdict) {
    const expected = listed.get(verdict.copyOf)
    if (expected === undefined) return [unexpected(path)]
    return sha256Of(bytes) === expected ? [] : [differs(path, expected, sha256Of(bytes))]
  }
  if ('sameText' in verdict) {
    const { sameText } = verdict
    return blankless(new TextDecoder().decode(bytes)) === blankless(sameText)
      ? []
      : [differs(path, sha256Of(new TextEncoder().encode(sameText)), sha256Of(bytes))]
  }
  const { sameJsonAs, more } = verdict
  const [own, other] = [await jsonIn(folder, path), await jsonIn(folder, sameJsonAs)]
  const rest = Object.fromEntries(Object.entries(own ?? {}).filter(([name]) => !more.includes(name)))
  if (own !== null && isDeepStrictEqual(rest, other)) return []
  return [differs(path, listed.get(sameJsonAs) ?? '', sha256Of(bytes))]
}

const blankless = (text: string): string => text.replace(/\s+/g, '')

/** A plugin of the project is a link to its folder: another folder in its place would be built instead. */
async function pluginFindings(folder: string): Promise<readonly Finding[]> {
  const plugins = pluginsOf((await jsonIn(folder, 'package.json'))?.dependencies ?? {})
  const findings: Finding[] = []
  for (const [name, place] of plugins) {
    const path = `node_modules/${name}`
    const [found, own] = await Promise.all(
      [path, place].map((one) => realpath(join(folder, one)).catch(() => null)),
    )
    if (found !== null && found !== own) findings.push(unexpected(path))
  }
  return findings
}

type PlainObject = { readonly dependencies?: Readonly<Record<string, string>>; readonly appId?: string }

async function jsonIn(folder: string, path: string): Promise<PlainObject | null> {
  const bytes = await readIfThere(join(folder, path))
  try {
    const value = bytes === null ? null : JSON.parse(new TextDecoder().decode(bytes))
    return typeof value === 'object' ? value : null
  } catch {
    return null
  }
}

const differs = (path: string, expected: string, found: string): Finding =>
  finding('build-file-differs', {
    path,
    expected: `SHA-256 ${expected}`,
    found: `SHA-256 ${found}`,
    isPublic: true,
  })

/** What is in a folder by path, with forward slashes, except folders, and the folders that were not looked through. */
async function entriesIn(folder: string, isSkipped: (path: string) => boolean) {
  const found = new Map<string, 'file' | 'other'>()
  const skipped: string[] = []
  const queue = ['']
  for (const place of queue)
    for (const entry of await readdir(join(folder, place), { withFileTypes: true })) {
      const path = place === '' ? entry.name : `${place}/${entry.name}`
      if (!entry.isDirectory()) found.set(path, entry.isFile() ? 'file' : 'other')
      else if (isSkipped(path)) skipped.push(path)
      else queue.push(path)
    }
  return { entries: found, skipped }
}

async function readIfThere(path: string): Promise<Uint8Array | null> {
  try {
    return new Uint8Array(await readFile(path))
  } catch (error) {
    if (error instanceof Error && 'code' in error) return null
    throw error
  }
}
