import { join } from 'node:path'
import { runCommand } from '@hailstone/brand/tools'
import type { LocalNetwork } from '@hailstone/local-network'
import { expect } from 'vitest'
import { appFolder } from '../tools/build-brand.ts'
import { brandFolder } from './app-harness.ts'

/** Runs the command with arguments and answers its prompts in order. */
export async function runBrand(words: readonly string[], answers?: string[]) {
  const lines: string[] = []
  const put = (line: string): void => {
    lines.push(line)
  }
  const ask = answers === undefined ? undefined : async () => answers.shift() ?? ''
  const code = await runCommand(words, {
    cwd: appFolder(),
    shellFolder: appFolder(),
    write: put,
    complain: put,
    ask,
  })
  return { code, said: lines.join('\n') }
}

/** Creates a brand with the command, connected to a network. */
export async function makeBrand(
  id: string,
  {
    folder,
    network,
    tokenId = network.tokens.native.id,
  }: {
    readonly folder: string
    readonly network: LocalNetwork
    readonly tokenId?: string | undefined
  },
): Promise<string> {
  const logo = join(brandFolder('tidewater'), 'assets/icon.svg')
  const places = ['--network', 'devnet', '--api', network.apiUrl, '--gateway', network.gatewayUrl]
  const pictures = ['--logo', logo, '--icon', logo, '--dir', folder]
  const { code, said } = await runBrand(
    ['new', ...places, ...pictures],
    [`Partner ${id}`, id, tokenId, '#3a7644'],
  )
  expect(code, said).toBe(0)
  return join(folder, id)
}
