import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { expect, it } from 'vitest'

/** Bundles as Metro does: it asks for the condition `react-native`, and knows no module of Node. */
async function inputsFor(condition: string): Promise<readonly string[]> {
  const { metafile } = await build({
    stdin: {
      contents: ['mining-node', 'mining-node/watch', 'mining-node/leader', 'client', 'protocol']
        .map((name, at) => `export * as part${at} from '@hailstone/${name}'`)
        .join('\n'),
      resolveDir: fileURLToPath(new URL('..', import.meta.url)),
    },
    bundle: true,
    format: 'esm',
    platform: 'neutral',
    conditions: [condition],
    external: ['node:*', 'undici', 'ws'],
    metafile: true,
    logLevel: 'silent',
    write: false,
  })
  const [output] = Object.values(metafile.outputs)
  return (output?.imports ?? []).map(({ path }) => path)
}

it('bundles for React Native without a module of Node', async () => {
  expect(await inputsFor('react-native')).toEqual([])
})

it('would find those modules without the condition', async () => {
  expect(await inputsFor('none')).not.toEqual([])
})
