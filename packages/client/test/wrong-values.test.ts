import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { MessageChannel } from 'node:worker_threads'
import { apiError } from '@hailstone/protocol'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { notListed, type RightCall, unknownTaken, wronglyTaken } from '../../../scripts/wrong-values.ts'
import * as mnemonicEntry from '../src/mnemonic/index.ts'
import { systemDisk } from '../src/node/journal-disk.ts'
import * as entry from '../src/node-checked.ts'
import * as queryEntry from '../src/query/index.ts'

const apiUrl = 'http://127.0.0.1:9/api/v1'
const wallet = entry.createWallet()
const { address } = wallet
const hash = 'ab'.repeat(32)
const tokenId = '0'.repeat(64)
const nothing = (): void => undefined
const randomBytes = (length: number): Uint8Array => crypto.getRandomValues(new Uint8Array(length))
/** Account 0 of the phrase every BIP-39 program tests with. */
const phrase = `${'abandon '.repeat(11)}about`

/** Ends every request at once: as far as a call comes that nothing was wrong with. */
const transport: entry.Transport = {
  request: async () => {
    throw apiError('REQUEST_FAILED', { path: '/x', reason: 'nobody is there' })
  },
}
/** A wait is over at once. */
let passedMs = 0
const clock: entry.Clock = {
  now: () => passedMs,
  monotonicMs: () => passedMs,
  sleep: async (ms) => {
    passedMs += ms
  },
}
const retry = { ...entry.defaultRetryPolicy, maxAttempts: 1, attemptTimeoutMs: 1_000 }
const ofCore = {
  apiUrl,
  transport,
  timeoutMs: 1_000,
  retry,
  allowInsecure: true,
  requireEncryption: false,
  takesNewerData: false,
  logger: { debug: nothing, info: nothing, warn: nothing, error: nothing },
  clock,
  randomness: Math.random,
}
const client = entry.createClient(ofCore)
/** Its members are not parameters. */
const opaqueClient: typeof client = Object.create(client)
const signal = new AbortController().signal
const history = { address, page: 0, maxAgeMs: 5, signal }
const fields = { amount: 25n, data: '', from: address, nonce: 1, tokenId, to: address }

const token = { feeType: 1, feeValue: 5n, feeMinimum: 5n }

let folder: string
let payments: entry.Payments
const workingFolder = process.cwd()
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'hailstone-wrong-'))
  // A path of '5' is a right one, of a file in the working folder.
  process.chdir(folder)
  payments = await entry.createPayments({ client, journal: entry.createMemoryJournal(), wallet })
})
afterAll(async () => {
  await payments?.close()
  process.chdir(workingFolder)
  await rm(folder, { recursive: true, force: true })
})

/** The parameters of the methods of a client. Those that have none besides the signal are not here. */
const ofActions: Partial<Record<keyof entry.ClientActions, object>> = {
  getMacroblock: { height: 1 },
  getMacroblockByHash: { hash },
  getMacroblockOutline: { height: 1 },
  getMicroblock: { hash },
  getMicroblockHeader: { hash },
  getTransaction: { hash },
  getPendingTransaction: { hash },
  getRecordsOfHash: { hash },
  getAgentInfo: { address },
  getBalance: { address, tokenId },
  getHoldings: { address },
  getToken: { tokenId },
  getTokenSlot: { tokenId },
  getNativeToken: {},
  getExpectedReturn: { stake: 5n },
  getRewards: history,
  getReferralRewards: history,
  getMiningRewards: history,
  getTransactions: history,
  rewardsOf: { address },
  referralRewardsOf: { address },
  miningRewardsOf: { address },
  transactionsOf: { address },
  prepareTransaction: { from: address, to: address, amount: 25n, tokenId, memo: 'x', nonce: 5 },
  sendTransaction: { wallet, to: address, amount: 25n, tokenId, memo: 'x', nonce: 5, onSigned: nothing },
  sendSignedTransaction: { transaction: wallet.signTransaction(fields as never) },
  waitForTransaction: { hash, timeoutMs: 1, pollMs: 1 },
  requestTestCoins: { address, tokenId, as: 'agent' },
  walkChain: { fromHeight: 0, toHeight: 1, concurrency: 2, requireComplete: false, onHole: nothing },
}

const keystore = () => entry.createFileKeystore({ path: join(folder, 'key') })

const methods = Object.entries(client).filter(
  ([name, value]) => typeof value === 'function' && name !== 'close' && !name.startsWith('Symbol'),
)
const callsOfMethods: Record<string, RightCall> = Object.fromEntries(
  methods.map(([name, act]): [string, RightCall] => [
    `client.${name}`,
    () => [act as never, ofActions[name as keyof entry.ClientActions] ?? { signal }],
  ]),
)

/** The same actions as functions over a client that has no methods. */
const core = entry.createClientCore(ofCore)
const callsOfFunctions: Record<string, RightCall> = Object.fromEntries(
  methods
    .filter(([name]) => name in entry)
    .map(([name]): [string, RightCall] => [
      name,
      () => {
        const act = Reflect.get(entry, name)
        const given = ofActions[name as keyof entry.ClientActions] ?? { signal }
        return [(...all: readonly unknown[]) => act(core, ...all), given]
      },
    ]),
)

/** The parameters of a query go to the action unread, which refuses them when it is asked. */
const asked =
  (
    query: (
      client: never,
      parameters: never,
    ) => { readonly queryFn: (context: { readonly signal: AbortSignal }) => unknown },
  ) =>
  async (...given: readonly [never, never]) =>
    query(...given).queryFn({ signal })

const calls: Readonly<Record<string, RightCall>> = {
  createClient: () => [
    entry.createClient,
    { ...ofCore, apiUrls: [apiUrl], quorum: 1, onDisagreement: nothing },
  ],
  createClientCore: () => [entry.createClientCore, ofCore],
  createFailoverTransport: () => [
    entry.createFailoverTransport,
    { nodes: [{ url: apiUrl, transport }], clock: entry.systemClock, randomness: Math.random },
  ],
  createFetchTransport: () => [
    entry.createFetchTransport,
    { apiUrl, allowInsecure: true, limitBytes: 5_000 },
  ],
  createUndiciTransport: () => [
    entry.createUndiciTransport,
    { apiUrl, allowInsecure: true, limitBytes: 5_000, connections: 1, connectTimeoutMs: 100 },
  ],
  createWallet: () => [entry.createWallet, { randomBytes }],
  walletFromPrivateKey: () => [entry.walletFromPrivateKey, '7'.padStart(64, '0'), {}],
  signTransaction: () => [wallet.signTransaction, fields],
  signHail: () => [wallet.signHail, { host: 'x', tokenId, referralAgent: address }],
  signPublication: () => [
    wallet.signPublication,
    { microblockHash: hash, keyBlockHash: 'ENQGENESIS', tokenId, referralAgent: address },
  ],
  deriveNonce: () => [wallet.deriveNonce, { chain: 'x', idempotencyKey: 'y', attempt: 5 }],
  encryptWallet: () => [entry.encryptWallet, { wallet, password: 'short' }],
  decryptWallet: () => [entry.decryptWallet, { text: '{}', password: 'long enough' }],
  parseKeystore: () => [entry.parseKeystore, '{}'],
  createMemoryJournal: () => [entry.createMemoryJournal],
  journalWriteFailed: () => [entry.journalWriteFailed, { reason: 'full', mayBeStored: false }],
  createPayments: () => [
    entry.createPayments,
    {
      client,
      journal: entry.createMemoryJournal(),
      wallet,
      feeCap: { units: 5n },
      confirmations: 3,
      pollMs: 5,
      keepSettled: 5,
      acceptDamage: false,
      signingTimeoutMs: 5,
      minOverwritten: 5,
    },
  ],
  pay: () => [
    payments.pay,
    { to: address, amount: 25n, tokenId, memo: 'x', feeCap: { units: 5n, shareBps: 5n }, consent: nothing },
  ],
  subscribe: () => [payments.subscribe, nothing],
  defineNetwork: () => [entry.defineNetwork, { name: 'x', apiUrl, nativeDecimals: 10, takesNewerData: true }],
  openFileJournal: () => [entry.openFileJournal, { path: join(folder, 'journal'), disk: systemDisk }],
  createFileKeystore: () => [entry.createFileKeystore, { path: join(folder, 'key') }],
  'keystore.save': () => [keystore().save, { wallet, password: 'short' }],
  'keystore.unlock': () => [keystore().unlock, { password: 'long enough' }],
  'keystore.changePassword': () => [keystore().changePassword, { password: 'x', newPassword: 'short' }],
  createWorkerSigner: () => [
    entry.createWorkerSigner,
    { port: new MessageChannel().port1.unref(), timeoutMs: 5 },
  ],
  serveSigner: () => [entry.serveSigner, { port: new MessageChannel().port1, signer: wallet }],
  // Anything but true is no permission.
  parseApiUrl: () => [entry.parseApiUrl, apiUrl, {}],
  // The time is read for a date alone.
  parseRetryAfter: () => [entry.parseRetryAfter, '5'],
  grossForNet: () => [entry.grossForNet, token, 5n],
  formatAmount: () => [entry.formatAmount, 5n, { decimals: 10 }],
  parseAmount: () => [entry.parseAmount, '5', { decimals: 10 }],
  parseAddress: () => [entry.parseAddress, address],
  parseTokenId: () => [entry.parseTokenId, tokenId],
  signIn: () => [entry.signIn, { wallet, host: 'shop.example', nonce: 'a-nonce-of-it', issuedAtMs: 5 }],
  verifySignIn: () => [
    entry.verifySignIn as never,
    new Map(),
    { host: 'shop.example', nonce: 'a-nonce-of-it', maxAgeMs: 5, nowMs: 5 },
  ],
  parseHash: () => [entry.parseHash, hash],
  toAmount: () => [entry.toAmount, 5n],
  isNodeError: () => [entry.isNodeError, new Error('x'), 'REQUEST_FAILED'],
  openBrowserJournal: () => [entry.openBrowserJournal, { name: 'x' }],
  openBrowserVault: () => [entry.openBrowserVault, { name: 'x' }],
  createMnemonic: () => [
    mnemonicEntry.createMnemonic,
    { words: 12, wordList: mnemonicEntry.englishWords, randomBytes },
  ],
  checkMnemonic: () => [mnemonicEntry.checkMnemonic, phrase, { wordList: mnemonicEntry.englishWords }],
  walletFromMnemonic: () => [mnemonicEntry.walletFromMnemonic, phrase, { index: 0, passphrase: 'x' }],
  balanceQuery: () => [asked(queryEntry.balanceQuery), opaqueClient, { address, tokenId }],
  heightQuery: () => [queryEntry.heightQuery, opaqueClient],
  tokenQuery: () => [asked(queryEntry.tokenQuery), opaqueClient, { tokenId }],
  transactionQuery: () => [asked(queryEntry.transactionQuery), opaqueClient, { hash }],
  networkInfoQuery: () => [queryEntry.networkInfoQuery, opaqueClient],
  // Page and age go to the action unread.
  rewardsQuery: () => [asked(queryEntry.rewardsQuery), opaqueClient, { address }],
  ...callsOfMethods,
  ...callsOfFunctions,
}

const counts = [0, -1, 1.5, Number.POSITIVE_INFINITY]
const durations = [0, -5, Number.POSITIVE_INFINITY]

it.each<[string, readonly number[], (value: number) => unknown]>([
  ['concurrency', counts, (concurrency) => client.walkChain({ fromHeight: 0, concurrency }).next()],
  [
    'concurrency',
    counts,
    (concurrency) => entry.walkChain(entry.createClientCore(ofCore), { fromHeight: 0, concurrency }).next(),
  ],
  ['pollMs', durations, (pollMs) => client.waitForTransaction({ hash: hash as never, pollMs })],
  ['timeoutMs', [0, -5], (timeoutMs) => client.waitForTransaction({ hash: hash as never, timeoutMs })],
  ['maxAgeMs', [-1], (maxAgeMs) => client.getRewards({ address, maxAgeMs })],
  ['page', [-1, 0.5], (page) => client.getRewards({ address, page })],
  ['retry.maxAttempts', counts, (maxAttempts) => entry.createClient({ apiUrl, retry: { maxAttempts } })],
  ['retry.baseDelayMs', [-1], (baseDelayMs) => entry.createClient({ apiUrl, retry: { baseDelayMs } })],
  ['retry.maxDelayMs', [-1], (maxDelayMs) => entry.createClient({ apiUrl, retry: { maxDelayMs } })],
  [
    'retry.maxRetryAfterMs',
    [-1],
    (maxRetryAfterMs) => entry.createClient({ apiUrl, retry: { maxRetryAfterMs } }),
  ],
  [
    'retry.budgetCapacity',
    [-1],
    (budgetCapacity) => entry.createClient({ apiUrl, retry: { budgetCapacity } }),
  ],
  ['retry.budgetPerCall', [-1], (budgetPerCall) => entry.createClient({ apiUrl, retry: { budgetPerCall } })],
  [
    'retry.attemptTimeoutMs',
    durations,
    (attemptTimeoutMs) => entry.createClientCore({ apiUrl, retry: { attemptTimeoutMs } }),
  ],
  ['limitBytes', counts, (limitBytes) => entry.createUndiciTransport({ apiUrl, limitBytes })],
  ['connections', counts, (connections) => entry.createUndiciTransport({ apiUrl, connections })],
  [
    'connectTimeoutMs',
    durations,
    (connectTimeoutMs) => entry.createUndiciTransport({ apiUrl, connectTimeoutMs }),
  ],
])('L5: %s out of its range is refused, not run with', async (name, wrong, act) => {
  for (const value of wrong) {
    const refused = expect.objectContaining({
      code: 'ARGUMENT_INVALID',
      message: expect.stringContaining(name),
    })
    await expect((async () => act(value))(), String(value)).rejects.toEqual(refused)
  }
})

/** The first is passed on, the second takes nothing, the third a token that the network answered; what works with its rule checks it. The others
 * take any value, or any text, and throw as JSON does; the protocol package tests its errors.
 */
const unchecked = [
  'pinnedCore',
  'namedBelow',
  'systemRandomness',
  'feeRuleOf',
  'serialize',
  'deserialize',
  'NodeError',
]

it('has a call for every function, and for every method with parameters', () => {
  const others = Object.fromEntries(unchecked.map((name) => [name, true]))
  expect(notListed({ ...entry, ...mnemonicEntry, ...queryEntry }, { ...calls, ...others })).toStrictEqual([])
  expect(Object.keys(callsOfMethods).length).toBeGreaterThan(40)
})

it('takes no wrong value in silence, and meets none with an error of the engine', async () => {
  expect(await wronglyTaken(calls)).toStrictEqual([])
})

it('names a member that it does not know: what was meant by it would be ignored', async () => {
  const open =
    /^(?:create(?:Client|ClientCore|\w*Transport|FileKeystore|WorkerSigner|MemoryJournal)|open|serve|define|parse|format|gross|is|to|\w+Query|extend|client.extend|client.randomness|subscribe|journal)/
  const ofHash = /Transaction$|^(?:client[.])?get(?:Micro|Macro|KeyBlock|Records)|^(?:client[.])?walkChain/
  const isMoney = /(?:prepare|send|sign)Transaction$/
  const closed = Object.entries(calls).filter(
    ([name]) => !open.test(name) && (isMoney.test(name) || !ofHash.test(name)),
  )
  expect(await unknownTaken(Object.fromEntries(closed))).toStrictEqual([])
})

it('takes the answer of another action as it is, and what was prepared by its own wallet', async () => {
  const transaction = wallet.signTransaction(fields as never)
  const sent = { hash, transaction, status: 'pending' }
  const codeOf = async (act: () => unknown) => {
    try {
      return await act()
    } catch (error) {
      return Reflect.get(Object(error), 'code')
    }
  }
  expect(await codeOf(() => client.getTransaction(sent as never))).toBe('REQUEST_FAILED')
  expect(await codeOf(() => client.sendSignedTransaction(sent))).toBe('TRANSACTION_UNCERTAIN')
  const prepared = { from: address, to: address, amount: 25n, tokenId }
  const send = (more: object) =>
    codeOf(() => client.sendTransaction({ wallet, ...prepared, ...more } as never))
  expect(await send({})).toBe('TRANSACTION_UNCERTAIN')
  expect(await send({ from: entry.createWallet().address })).toBe('ARGUMENT_INVALID')
})
