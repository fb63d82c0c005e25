import { readFile } from 'node:fs/promises'

/** Returns the version of this package, which all packages of a release share. */
export async function ownVersion(): Promise<string> {
  const manifest = await readFile(new URL('../../package.json', import.meta.url), 'utf8')
  const { version } = JSON.parse(manifest) as { readonly version: string }
  return version
}
