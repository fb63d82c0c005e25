import { readFile } from 'node:fs/promises'

/** Returns the text of `--version`: that of this package and of Node. */
export async function versionText(): Promise<string> {
  const manifest = await readFile(new URL('../../package.json', import.meta.url), 'utf8')
  const { version } = JSON.parse(manifest) as { readonly version: string }
  return `hailstone-network ${version}, node ${process.version}`
}
