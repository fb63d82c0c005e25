import { existsSync, readFileSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import * as browser from '../src/browser.ts'
import * as node from '../src/node.ts'

const source = (name: string): string => fileURLToPath(new URL(`../src/${name}`, import.meta.url))

/** Every file and package that an entry reaches by import, types included. */
function reachable(entry: string): {
  readonly files: readonly string[]
  readonly packages: readonly string[]
} {
  const files = new Set<string>()
  const packages = new Set<string>()
  const visit = (file: string): void => {
    if (files.has(file)) return
    files.add(file)
    for (const [, target = ''] of readFileSync(file, 'utf8').matchAll(
      /(?:from |import |import\()'([^']+)'/g,
    )) {
      if (target.startsWith('.')) visit(resolve(dirname(file), target))
      else packages.add(target)
    }
  }
  visit(entry)
  return { files: [...files], packages: [...packages].sort() }
}

it('exports what its README promises', () => {
  expect(Object.keys(node).sort()).toMatchInlineSnapshot(`
    [
      "NodeError",
      "createClient",
      "createClientCore",
      "createFailoverTransport",
      "createFetchTransport",
      "createFileKeystore",
      "createMemoryJournal",
      "createPayments",
      "createUndiciTransport",
      "createWallet",
      "createWorkerSigner",
      "decryptWallet",
      "defaultPbkdf2",
      "defaultRetryPolicy",
      "defaultScrypt",
      "defineNetwork",
      "encryptWallet",
      "feeRuleOf",
      "formatAmount",
      "getAgentInfo",
      "getBalance",
      "getContractPrices",
      "getExpectedReturn",
      "getHeight",
      "getHoldings",
      "getKeyBlockHeight",
      "getLastBlocks",
      "getMacroblock",
      "getMacroblockByHash",
      "getMacroblockOutline",
      "getMicroblock",
      "getMicroblockHeader",
      "getMinersOnline",
      "getMiningRewards",
      "getMiningRules",
      "getNativeToken",
      "getNativeTokenId",
      "getNetworkInfo",
      "getOriginHash",
      "getPendingTransaction",
      "getPoolSize",
      "getRecordsOfHash",
      "getReferralRewards",
      "getReferrerStake",
      "getRewards",
      "getStakeLimits",
      "getStats",
      "getToken",
      "getTokenNames",
      "getTokenSlot",
      "getTransaction",
      "getTransactions",
      "grossForNet",
      "isNodeError",
      "journalWriteFailed",
      "latestTransactions",
      "miningRewardsOf",
      "namedBelow",
      "networks",
      "openBrowserJournal",
      "openBrowserVault",
      "openFileJournal",
      "parseAddress",
      "parseAmount",
      "parseApiUrl",
      "parseHash",
      "parseKeystore",
      "parseRetryAfter",
      "parseTokenId",
      "pinnedCore",
      "prepareTransaction",
      "referralRewardsOf",
      "requestTestCoins",
      "rewardsOf",
      "sendSignedTransaction",
      "sendTransaction",
      "serveSigner",
      "signIn",
      "systemClock",
      "systemRandomness",
      "systemTime",
      "toAmount",
      "transactionsOf",
      "verifySignIn",
      "waitForTransaction",
      "walkChain",
      "walletFromPrivateKey",
    ]
  `)
})

it('exports the same in browsers, but for undici and files', () => {
  const missing = Object.keys(node).filter((name) => !(name in browser))
  expect(missing).toStrictEqual(['openFileJournal', 'createFileKeystore', 'createUndiciTransport'])
  expect(Object.keys(browser).filter((name) => !(name in node))).toStrictEqual([])
})

it('brings nothing of Node into a browser', () => {
  const { files, packages } = reachable(source('browser.ts'))
  expect(files.length).toBeGreaterThan(40)
  // scrypt is for browsers that open a keystore that was made with it.
  expect(packages).toStrictEqual([
    '@hailstone/protocol',
    '@hailstone/protocol/leader',
    '@hailstone/protocol/schema',
    '@hailstone/runtime',
    '@noble/hashes/scrypt.js',
  ])
})

it('imports undici in the files of its transport only', () => {
  const { files, packages } = reachable(source('node.ts'))
  const foreign = packages.filter((name) => !name.startsWith('node:'))
  expect(foreign).toStrictEqual([
    '@hailstone/protocol',
    '@hailstone/protocol/leader',
    '@hailstone/protocol/schema',
    '@hailstone/runtime',
    '@hailstone/runtime/node',
    '@noble/hashes/scrypt.js',
    'undici',
  ])
  const users = files.filter((file) => readFileSync(file, 'utf8').includes("from 'undici'"))
  expect(users.sort()).toStrictEqual([source('node/exchange-once.ts'), source('node/undici-transport.ts')])
})

it('uses the modules of Node in one folder only', () => {
  const users = reachable(source('node.ts')).files.filter((file) =>
    / from 'node:/.test(readFileSync(file, 'utf8')),
  )
  expect(users.length).toBeGreaterThan(0)
  expect(users.filter((file) => !file.startsWith(source('node/')))).toStrictEqual([])
})

it('binds every action to the client', () => {
  const client = node.createClient({ network: node.networks.pulse })
  const bound = Object.keys(client).filter((name) => name in node)
  expect(bound).toContain('getBalance')
  const actions = Object.keys(node).filter((name) => existsSync(source(`actions/${fileOf(name)}.ts`)))
  expect(bound.sort()).toStrictEqual(actions.sort())
})

const fileOf = (name: string): string => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)

it('never chooses a network by itself', () => {
  const codeOf = (parameters: node.CreateClientParameters): unknown => {
    try {
      return node.createClient(parameters).network.name
    } catch (error) {
      return (error as { code?: unknown }).code
    }
  }
  expect(codeOf({})).toBe('CONFIGURATION_INVALID')
  expect(codeOf({ apiUrl: 'http://127.0.0.1:1' })).toBe('custom')
  expect(codeOf({ network: node.networks.bit, apiUrl: 'http://127.0.0.1:1' })).toBe('bit')
  expect(codeOf({ apiUrl: 'http://example.com' })).toBe('URL_REFUSED')
  expect(codeOf({ apiUrl: 'http://example.com', allowInsecure: true })).toBe('custom')
  expect(codeOf({ network: node.networks.bit, timeoutMs: -1 })).toBe('CONFIGURATION_INVALID')
  expect(codeOf({ network: node.networks.bit, timeoutMs: Number.NaN })).toBe('ARGUMENT_INVALID')
})
