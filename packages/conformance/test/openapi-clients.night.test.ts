import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { type LocalNetwork, startLocalNetwork } from '@hailstone/local-network'
import { type JsonValue, parseJson } from '@hailstone/protocol'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { generateTypes, readDocument, typedOperations } from './clients/generate-client.ts'

const run = promisify(execFile)
const pathOf = (path: string): string => fileURLToPath(new URL(path, import.meta.url))
const DOCUMENT = createRequire(import.meta.url).resolve('@hailstone/protocol/openapi.json')

/** Operations that may answer with an empty body here: nobody is an agent, nobody mines. */
const MAY_BE_SILENT = ['getStatAgentInfo', 'getRoiByStake']

type Summary = {
  readonly operations: number
  readonly answers: number
  readonly succeeded: readonly string[]
  readonly problems: readonly string[]
}

let network: LocalNetwork
let folder: string
let valuesFile: string

async function get(path: string): Promise<{ readonly [name: string]: JsonValue }> {
  return parseJson(await (await fetch(network.apiUrl + path)).text()) as never
}

/** Returns names of things that exist on the chain of the test. */
async function valuesOf() {
  const [developer] = network.accounts.developers
  const id = developer?.address
  const { kblock, mblocks, sblocks } = (await get('/macroblock_by_height?height=1')) as never as {
    kblock: { hash: string }
    mblocks: { hash: string }[]
    sblocks: { hash: string }[]
  }
  const microblock = mblocks[0]?.hash
  const { transactions } = (await get(`/mblock?hash=${microblock}`)) as never as {
    transactions: { hash: string; from: string }[]
  }
  const [transaction] = transactions
  const histories = 'Rewards Transactions Refreward Mreward Kreward Sreward In Out'.split(' ')
  const account = { id: transaction?.from, page: 0 }
  return {
    ...Object.fromEntries(histories.map((name) => [`getAccount${name}`, account])),
    getAccount: account,
    getMacroblockByHeight: { height: 1 },
    getMacroblock: { hash: kblock.hash },
    getMblock: { hash: microblock },
    getSblock: { hash: sblocks[0]?.hash },
    getTx: { hash: transaction?.hash },
    getEindexByHash: { hash: microblock },
    getTokenInfo: { hash: network.tokens.mineable.id },
    getBalance: { id, token: network.tokens.mineable.id },
    getBalanceAll: { id },
    getSearch: { value: microblock },
    getGetDelegatedList: { delegator: network.accounts.poolDelegate.address },
    getGetTokensByOwner: { owner: network.accounts.tokenOwner.address },
    postFaucet: { body: { pubkey: id } },
    postTx: { body: [{}] },
  }
}

beforeAll(async () => {
  network = await startLocalNetwork({ seed: 'clients', blockTimeMs: 3_600_000 })
  for (let block = 0; block < 3; block++) await network.closeNow()
  folder = await mkdtemp(join(tmpdir(), 'hailstone-'))
  valuesFile = join(folder, 'values.json')
  await writeFile(valuesFile, JSON.stringify(await valuesOf()))
})

afterAll(async () => {
  await network.stop()
  await rm(folder, { recursive: true })
})

async function drive(program: string, client: string, document = DOCUMENT): Promise<Summary> {
  const file = pathOf(`clients/${client}`)
  const { stdout } = await run(program, [file, document, network.apiUrl, valuesFile])
  return JSON.parse(stdout) as Summary
}

/** Runs the client in another language, where it is installed. */
const foreignClient = async (document?: string): Promise<Summary> =>
  (await hasPython())
    ? drive('python3', 'client.py', document)
    : drive(process.execPath, 'client.mjs', document)

const hasPython = async (): Promise<boolean> =>
  run('python3', ['-c', 'import json, urllib.request']).then(
    () => true,
    () => false,
  )

function judge({ operations, answers, succeeded, problems }: Summary): void {
  expect(problems).toEqual([])
  expect(operations).toBeGreaterThan(65)
  expect(answers).toBeGreaterThan(2 * operations)
  expect(succeeded.length).toBeGreaterThanOrEqual(operations - 2 - MAY_BE_SILENT.length)
}

test('a client in another language, driven by the document alone, understands every answer', async () => {
  judge(await foreignClient())
})

test('so does a second one, with a reading of the document of its own', async () => {
  judge(await drive(process.execPath, 'client.mjs'))
})

test('and it does not just nod: a document that describes something else is found out', async () => {
  const wrong = join(folder, 'wrong.json')
  const document = await readFile(DOCUMENT, 'utf8')
  await writeFile(wrong, document.replaceAll('"decimals"', '"decimal"'))
  const { problems } = await foreignClient(wrong)
  expect(problems.some((problem) => problem.includes('/balance?'))).toBe(true)
})

describe('with types that a public generator made of the document', () => {
  /** Returns the requests for all languages; those with an empty answer have no type. */
  async function questions() {
    const values: Record<string, Record<string, unknown>> = JSON.parse(await readFile(valuesFile, 'utf8'))
    const asked = typedOperations(await readDocument(DOCUMENT)).map(({ operationId, path, parameters }) => {
      const given = parameters.flatMap(({ name, example }) => {
        const value = values[operationId]?.[name] ?? example
        return value === undefined ? [] : [[name, String(value)]]
      })
      return { operationId, path: `${path}?${new URLSearchParams(given)}` }
    })
    const answers = await Promise.all(
      asked.map(async ({ path }) => (await fetch(network.apiUrl + path)).text()),
    )
    return asked.filter((_, at) => answers[at] !== '')
  }

  async function readAll(program: string, client: string, types: { file: string; text: string }) {
    await writeFile(join(folder, types.file), types.text)
    const asked = await questions()
    const questionsFile = join(folder, 'questions.json')
    await writeFile(questionsFile, JSON.stringify(asked))
    const args = [pathOf(`clients/${client}`), folder, network.apiUrl, questionsFile]
    const { stdout } = await run(program, args)
    expect(JSON.parse(stdout)).toEqual({ answers: asked.length, problems: [] })
    expect(asked.length).toBeGreaterThan(55)
  }

  test('JavaScript reads every answer, and writes it as it was', async () => {
    const text = await generateTypes(await readDocument(DOCUMENT), 'javascript')
    await readAll(process.execPath, 'generated.cjs', { file: 'hailstone-types.cjs', text })
  })

  test('Python reads every answer, and writes it as it was; without a python3 its types are made and looked at', async () => {
    const document = await readDocument(DOCUMENT)
    const text = await generateTypes(document, 'python')
    for (const { operationId } of typedOperations(document)) {
      const name = operationId.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
      expect(text).toContain(`def ${name}_from_dict(`)
    }
    if (await hasPython()) await readAll('python3', 'generated.py', { file: 'hailstone_types.py', text })
    else process.stdout.write('no python3 here: its types were made and not run\n')
  })

  test.each(['java', 'kotlin', 'swift', 'go'] as const)('%s types can be made', async (lang) => {
    const text = await generateTypes(await readDocument(DOCUMENT), lang)
    expect(text).toMatch(/GetMacroblockByHeight/)
    expect(text).toMatch(/GetAccountTransactions/)
  })
})
