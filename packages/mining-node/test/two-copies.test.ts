import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { build } from 'esbuild'
import { afterAll, expect, it } from 'vitest'

const folder = mkdtempSync(join(tmpdir(), 'hailstone-copies-'))
afterAll(() => rmSync(folder, { recursive: true }))

/** A program with a copy of the package of its own. */
async function copyNamed(name: string): Promise<typeof import('@hailstone/protocol')> {
  const outfile = join(folder, `${name}.mjs`)
  await build({
    stdin: { contents: "export * from '@hailstone/protocol'", resolveDir: import.meta.dirname },
    bundle: true,
    format: 'esm',
    platform: 'node',
    outfile,
    logLevel: 'error',
  })
  return import(/* @vite-ignore */ pathToFileURL(outfile).href)
}

it('two copies of the package in one program: each recognises the errors of the other', async () => {
  const [ours, theirs] = [await copyNamed('ours'), await copyNamed('theirs')]
  expect(ours.NodeError).not.toBe(theirs.NodeError)
  const error = new theirs.NodeError('HASH_MALFORMED', { text: 'x' })
  expect(error instanceof ours.NodeError).toBe(false)
  expect(ours.isNodeError(error, ['ADDRESS_MALFORMED', 'HASH_MALFORMED'])).toBe(true)
  expect(ours.isNodeError(error, 'ADDRESS_MALFORMED')).toBe(false)
  expect(ours.isNodeError(Object.assign(new Error('x'), { code: 'HASH_MALFORMED' }))).toBe(false)
})
