import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { startLocalNetwork } from '@hailstone/local-network'
import { expect, it, vi } from 'vitest'

const packageFolder = fileURLToPath(new URL('..', import.meta.url))

async function exampleInReadme(): Promise<string> {
  const readme = await readFile(join(packageFolder, 'README.md'), 'utf8')
  const code = /```ts\n([\s\S]*?)```/.exec(readme)?.[1]
  if (code === undefined) throw new Error('the README has no TypeScript')
  return code
}

it('the script of the README compiles and earns its reward', async () => {
  const code = await exampleInReadme()
  expect(code.trim().split('\n').length).toBeLessThanOrEqual(40)
  const folder = await mkdtemp(join(tmpdir(), 'hailstone-readme-'))
  try {
    await symlink(join(packageFolder, 'node_modules'), join(folder, 'node_modules'))
    await writeFile(join(folder, 'package.json'), '{ "type": "module" }')
    const file = join(folder, 'example.ts')
    await writeFile(file, code)
    await writeFile(
      join(folder, 'tsconfig.json'),
      JSON.stringify({
        extends: join(packageFolder, '..', '..', 'tsconfig.json'),
        compilerOptions: {
          rootDir: '/',
          // The package is not among its own dependencies.
          paths: { '@hailstone/mining-node': [join(packageFolder, 'src', 'node.ts')] },
        },
        include: ['example.ts'],
      }),
    )
    const tsc = join(packageFolder, 'node_modules', '.bin', 'tsc')
    await promisify(execFile)(tsc, ['-p', folder])

    await using network = await startLocalNetwork({ seed: 'readme', blockTimeMs: 600 })
    vi.stubEnv('HAILSTONE_API', network.apiUrl)
    vi.stubEnv('HAILSTONE_GATEWAY', network.gatewayUrl)
    const printed = vi.spyOn(console, 'log').mockImplementation(() => undefined)
    await import(/* @vite-ignore */ pathToFileURL(file).href)
    const lines = printed.mock.calls.map(([line]) => String(line))
    printed.mockRestore()
    expect(lines.at(-1)).toMatch(/^earned \d+(\.\d+)? [A-Z]+ in block \d+, microblock [0-9a-f]{64}$/)
  } finally {
    vi.unstubAllEnvs()
    await rm(folder, { recursive: true })
  }
})
