import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { openTestChain } from '../../../packages/indexer/test/test-chain.ts'
import { describePostgres } from '../../../packages/local-network/test/engines.ts'
import { MINER_ORDERS } from '../src/figures/miners.ts'
import { routes } from '../src/routes.ts'
import { addressOf, openSeeded } from './seed-index.ts'

/** Miners of the index, which has 20 times as many rewards. */
const MINERS = Number(process.env.HAILSTONE_MINERS ?? 60_000)
/** A million of miners take minutes to fill in, in ms. */
const TIME_LIMIT_MS = Math.max(300_000, 4 * MINERS)
const LARGEST_MB = 150
const EXPORTS_ADD_MB = 64
/** Times that everything is asked: garbage that is collected late is memory, too. */
const ROUNDS = 5

const command = fileURLToPath(new URL('../dist/bin.js', import.meta.url))

/** Returns the flags with which `npm run console` starts Node. */
function flagsOfNode(): readonly string[] {
  const manifest = readFileSync(new URL('../../../package.json', import.meta.url), 'utf8')
  const { scripts } = JSON.parse(manifest) as { readonly scripts: { readonly console: string } }
  return scripts.console.split(' ').filter((word) => word.startsWith('--'))
}

const sizeOf = ({ pid }: ChildProcess, name: 'VmHWM' | 'VmRSS'): number => {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  const [, kilobytes] = new RegExp(`${name}:\\s+(\\d+) kB`).exec(status) ?? []
  return Number(kilobytes) / 1024
}

/** Resolves with the link that the command prints when it serves. */
async function linkOf({ stdout }: ChildProcess): Promise<URL> {
  let out = ''
  for await (const text of stdout?.iterator({ destroyOnReturn: false }) ?? []) {
    out += String(text)
    const [link] = /http:\S+\/sign-in\S+/.exec(out) ?? []
    if (link !== undefined) return new URL(link)
  }
  throw new Error(`the command ended: ${out}`)
}

/** Every question, with the parameters that make its answer largest. */
const questions = routes.flatMap(({ path, isFigure }) => {
  const asked = (query: string) => ({ path, query, isFigure })
  if (path === '/v1/miners') return MINER_ORDERS.map((sort) => asked(`?sort=${sort}&limit=200`))
  if (['/v1/miner-rewards', '/v1/explain', '/v1/answers'].includes(path))
    return [1, 2, 99].map((account) => asked(`?address=${addressOf(account)}`))
  return [asked('')]
})
const answers = questions.map(({ path, query }) => path + query)
const files = questions
  .filter(({ isFigure }) => isFigure)
  .flatMap(({ path, query }) => [`${path}.csv${query}`, `${path}.parquet${query}`])

describePostgres('C-9: memory of a console on PostgreSQL', (server) => {
  it.runIf(existsSync('/proc/self/status'))(
    'stays below 150 MB while everything is asked and exported, also at once, and exports add less than 64 MB',
    async () => {
      await using chain = await openTestChain('memory of a console')
      await chain.close([], 15)
      const database = await server().createDatabase()
      {
        await using index = await openSeeded({ database }, { miners: MINERS })
        // Now it is an index of this chain, which is far behind: the console shows it and changes nothing.
        await sql`update network set origin_hash = ${chain.blocks[0]?.macroblock.keyBlock.hash}`.execute(
          index.queries,
        )
        await sql`update token set token_id = ${chain.token.id}`.execute(index.queries)
      }
      const options = ['--api', chain.apiUrl, '--token', chain.token.id, '--database', database]
      const words = [...flagsOfNode(), command, ...options, '--port', '0']
      const child = spawn(process.execPath, words, { stdio: ['ignore', 'pipe', 'inherit'] })
      const ended = once(child, 'exit')
      try {
        const link = await linkOf(child)
        const signedIn = await fetch(link, { redirect: 'manual' })
        const cookie = signedIn.headers.getSetCookie()[0]?.split(';')[0] ?? ''
        const askAll = async (paths: readonly string[]): Promise<void> => {
          for (const path of paths) {
            const answer = await fetch(link.origin + path, { headers: { cookie } })
            await answer.arrayBuffer()
            expect([path, answer.status]).toEqual([path, 200])
          }
        }
        for (let round = 0; round < ROUNDS; round++) await askAll(answers)
        const largestBefore = sizeOf(child, 'VmHWM')
        const before = sizeOf(child, 'VmRSS')
        // The largest size is counted anew from here on (proc(5)).
        writeFileSync(`/proc/${child.pid}/clear_refs`, '5')
        for (let round = 0; round < ROUNDS; round++) await askAll(files)
        for (let round = 0; round < ROUNDS; round++) await Promise.all(files.map((path) => askAll([path])))
        const largest = sizeOf(child, 'VmHWM')
        expect(largest - before).toBeLessThan(EXPORTS_ADD_MB)
        expect(Math.max(largestBefore, largest)).toBeLessThan(LARGEST_MB)
      } finally {
        child.kill('SIGTERM')
        await ended
      }
    },
    TIME_LIMIT_MS,
  )
})
