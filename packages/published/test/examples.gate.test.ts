import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import ts from 'typescript-oldest'
import { expect, it } from 'vitest'
import { folderOf } from './support/workspace.ts'

/** Sources with examples that stand alone, and what an example may use without declaring it. */
const sources = [
  ...['balance', 'miner', 'payments', 'referral', 'rewards', 'snapshot', 'token'].map(
    (name) => ['react', `src/use-${name}.ts`] as const,
  ),
  ['mining-node', 'src/watch/named-watches.ts'],
  ['mining-node', 'src/browser.ts'],
  ['client', 'src/browser.ts'],
  ['client', 'src/wallet/create-wallet.ts'],
] as const

const PRELUDE = `
import { createClient, networks, createWallet, type Client } from '@hailstone/client'
import { createMiningNode, formatAmount, type Network } from '@hailstone/mining-node'
import * as watches from '@hailstone/mining-node/watch'
import * as hooks from '@hailstone/react'
const { watchRewards, watchReferralRewards, watchBalance, watchHeight, watchMissedReferrals, createAccountWatch } = watches
const { lastValue, useBalance, useMiner, usePayments, useReferral, useRewards, useSnapshot, useToken } = hooks
declare const network: Network
declare const address: string
`

/** Returns the examples of a file, without the marks of their comment. */
const examplesIn = (text: string): readonly string[] =>
  [...text.matchAll(/@example\n((?:(?!\*\/)[\s\S])*)\*\//g)].map(([, lines = '']) =>
    lines.replace(/^\s*\* ?/gm, '').trim(),
  )

it('examples in the editor compile', () => {
  const examples = sources.flatMap(([name, file]) =>
    examplesIn(readFileSync(join(folderOf(name), file), 'utf8')),
  )
  expect(examples.length).toBeGreaterThan(14)
  const bodies = examples.map((text, at) => {
    const own = /\bclient =/.test(text) ? '' : 'client: Client'
    return `export async function example${at}(${own}) {\n${text}\n}`
  })
  const file = join(folderOf('react'), 'src/examples-in-the-editor.tsx')
  const content = `${PRELUDE}${bodies.join('\n')}`
  const options: ts.CompilerOptions = {
    ...{ target: ts.ScriptTarget.ES2022, module: ts.ModuleKind.NodeNext, jsx: ts.JsxEmit.ReactJSX },
    ...{ lib: ['lib.es2023.d.ts', 'lib.dom.d.ts', 'lib.esnext.disposable.d.ts'] },
    ...{ strict: true, skipLibCheck: true, noEmit: true, types: [] },
  }
  const host = ts.createCompilerHost(options)
  const { getSourceFile, fileExists, readFile } = host
  host.fileExists = (path) => path === file || fileExists(path)
  host.readFile = (path) => (path === file ? content : readFile(path))
  host.getSourceFile = (path, target, ...more) =>
    path === file ? ts.createSourceFile(path, content, target, true) : getSourceFile(path, target, ...more)
  const found = ts.getPreEmitDiagnostics(ts.createProgram([file], options, host))
  expect(
    found.map(({ file: at, start = 0, messageText }) => {
      const line = at?.text.slice(0, start).split('\n').length ?? 0
      return `${at?.text.split('\n')[line - 1]}: ${ts.flattenDiagnosticMessageText(messageText, ' ')}`
    }),
  ).toEqual([])
})
