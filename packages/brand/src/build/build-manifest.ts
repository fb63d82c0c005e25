import { createHash } from 'node:crypto'
import * as z from 'zod'
import type { Target } from '../checks/check-context.ts'
import type { EnvironmentName } from '../define-brand.ts'

/** File names of the manifest and its signature in a build. */
export const MANIFEST_NAME = 'build-manifest.json'
/** File name of the signature beside a manifest. */
export const SIGNATURE_NAME = `${MANIFEST_NAME}.sig`

type Files = ReadonlyMap<string, Uint8Array>

/** One file: its path with forward slashes, relative to its folder, and the SHA-256 of its bytes, 64 hex digits. */
type HashedFile = { readonly path: string; readonly sha256: string }

/** Inputs and outputs of a build. The same inputs give the same bytes on every machine. */
export type BuildManifest = {
  readonly format: 1
  readonly brand: string
  readonly environment: EnvironmentName
  readonly target: Target
  /** Version of the app shell. */
  readonly version: string
  /** Hash of the merged settings; the app shows it under About. */
  readonly configHash: string
  /** Files of the brand below `brand/`, of the shell below `shell/`. */
  readonly inputs: readonly HashedFile[]
  readonly outputs: readonly HashedFile[]
}

export type PrintBuildManifestParameters = Omit<BuildManifest, 'format' | 'inputs' | 'outputs'> & {
  readonly inputs: Files
  readonly outputs: Files
}

export const sha256Of = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex')

/** Sorted by code units, independent of the machine's locale. */
const hashed = (files: Files): readonly HashedFile[] =>
  [...files]
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([path, bytes]) => ({ path, sha256: sha256Of(bytes) }))

/** Prints the manifest as it is written and signed: without times and names of machines or folders. */
export function printBuildManifest({
  brand,
  environment,
  target,
  version,
  configHash,
  inputs,
  outputs,
}: PrintBuildManifestParameters): Uint8Array {
  const manifest: BuildManifest = {
    format: 1,
    brand,
    environment,
    target,
    version,
    configHash,
    inputs: hashed(inputs),
    outputs: hashed(outputs),
  }
  return new TextEncoder().encode(`${JSON.stringify(manifest, null, 2)}\n`)
}

const sha256 = z.string().regex(/^[0-9a-f]{64}$/)

/** A relative path without `..`. */
const path = z
  .string()
  .max(300)
  .regex(/^(?!\/)[^\\:\p{Cc}]+$/u)
  .refine((text) => text.split('/').every((part) => !['', '.', '..'].includes(part)))

const files = z.array(z.strictObject({ path, sha256 })).max(10_000)

const schema = z.strictObject({
  format: z.literal(1),
  brand: z.string().max(31),
  environment: z.enum(['dev', 'staging', 'prod']),
  target: z.enum(['web', 'pwa', 'android', 'ios']),
  version: z.string().max(60),
  configHash: sha256,
  inputs: files,
  outputs: files,
})

/** Parses a manifest, which is not trusted; null if it is invalid. */
export function readBuildManifest(bytes: Uint8Array): BuildManifest | null {
  try {
    const read = schema.safeParse(JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes)))
    return read.success ? read.data : null
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof TypeError) return null
    throw error
  }
}
