import { once } from 'node:events'
import { createClient, walletFromPrivateKey } from '@hailstone/client'
import { type LocalNetwork, startLocalNetwork } from '@hailstone/local-network'
import { addressOf, formatShortPeer, parsePrivateKey, sha256Hex, toAmount } from '@hailstone/protocol'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startScriptedBootNode } from '../../mining-node/test/scripted-boot-node.ts'
import { type CommandWorld, createCommandWorld } from './command-child.ts'

type Finding = {
  readonly check: string
  readonly verdict: string
  readonly what: string
  readonly nextStep: string
}
type Answer = {
  readonly isHealthy: boolean
  readonly exitCode: number
  readonly findings: readonly Finding[]
}

let network: LocalNetwork
let world: CommandWorld
beforeAll(async () => {
  network = await startLocalNetwork({ seed: 'doctor', blockTimeMs: 500, bootNode: {} })
  world = await createCommandWorld()
})
afterAll(async () => {
  await world[Symbol.asyncDispose]()
  await network.stop()
})

const NOBODY = 'http://127.0.0.1:1/api/v1'
const developer = () => network.accounts.developers[0]?.address ?? ''
const stranger = addressOf(parsePrivateKey(sha256Hex('stranger')))
const api = () => ['--api', network.apiUrl]
const gateway = () => ['--gateway', network.gatewayUrl]

async function examine(...args: readonly string[]): Promise<Answer & { readonly code: number | null }> {
  const { code, out, err } = await world.run(['doctor', '--json', ...args])
  if (out === '') throw new Error(err)
  return { code, ...(JSON.parse(out) as Answer) }
}

const finding = ({ findings }: Answer, check: string): Finding => {
  const found = findings.find((one) => one.check === check)
  if (found === undefined) throw new Error(`nothing was said about ${check}`)
  return found
}

type Case = readonly [
  name: string,
  args: () => readonly string[],
  expected: { readonly check: string; readonly exitCode: number },
]

describe('hailstone doctor', () => {
  it.each<Case>([
    ['the API is down', () => ['--api', NOBODY, ...gateway()], { check: 'api', exitCode: 10 }],
    [
      'the gateway is down',
      () => [...api(), '--gateway', 'ws://127.0.0.1:1'],
      { check: 'gateway', exitCode: 11 },
    ],
    [
      'the gateway is named by an http address, which a miner refuses',
      () => [...api(), '--gateway', network.gatewayUrl.replace('ws:', 'http:')],
      { check: 'gateway', exitCode: 11 },
    ],
    [
      'the address of the gateway has no scheme',
      () => [...api(), '--gateway', network.gatewayUrl.replace('ws://', '')],
      { check: 'gateway', exitCode: 11 },
    ],
    [
      'the boot node names no gateway',
      () => [...api(), '--boot-node', network.gatewayUrl.replace(/\d+$/, '1')],
      { check: 'gateway', exitCode: 11 },
    ],
    [
      'the API belongs to another network',
      () => ['--network', 'pulse', ...api(), ...gateway()],
      { check: 'network', exitCode: 19 },
    ],
    [
      'the stake is too low',
      () => [...api(), ...gateway(), '--address', stranger],
      { check: 'stake', exitCode: 15 },
    ],
    [
      'the token is unknown',
      () => [...api(), ...gateway(), '--token', sha256Hex('no token')],
      { check: 'token', exitCode: 13 },
    ],
    [
      'the token cannot be mined',
      () => [...api(), ...gateway(), '--token', network.tokens.fixed.id],
      { check: 'token', exitCode: 14 },
    ],
    [
      'the agent never held the token',
      () => [...api(), ...gateway(), '--address', developer(), '--agent', stranger],
      { check: 'agent', exitCode: 17 },
    ],
  ])('says so when %s, and what to do', async (_name, args, { check, exitCode }) => {
    const answer = await examine(...args())
    expect(answer.code).toBe(exitCode)
    expect(answer).toMatchObject({ isHealthy: false, exitCode })
    expect(finding(answer, check)).toMatchObject({ check, verdict: 'failure' })
    expect(finding(answer, check).nextStep).not.toBe('')
    const failures = answer.findings.filter(({ verdict }) => verdict === 'failure')
    expect(failures.map((failed) => failed.check)).toEqual([check])
  })

  it.each<[string, () => readonly string[], readonly string[]]>([
    ['API and account', () => gateway(), ['api']],
    ['gateway', () => [...api(), '--address', developer()], ['gateway']],
    ['account', () => [...api(), ...gateway()], ['stake']],
  ])('does not call well what it could not look at: no %s', async (_name, args, checks) => {
    const answer = await examine(...args())
    expect(answer).toMatchObject({ code: 3, isHealthy: false, exitCode: 3 })
    const unchecked = answer.findings.filter(
      ({ verdict, nextStep }) => verdict === 'skipped' && nextStep !== '',
    )
    expect(unchecked.map(({ check }) => check)).toEqual(checks)
  })

  it('G-22: says which gateway a boot node names, and that it takes connections', async () => {
    const bootNode = String(network.bootNodeUrl)
    const answer = await examine(...api(), '--boot-node', bootNode, '--address', developer())
    expect(answer.code).toBe(0)
    const what = `${bootNode} (boot node) names ${network.gatewayUrl}/, which takes connections.`
    expect(finding(answer, 'gateway')).toMatchObject({ verdict: 'ok', what })
  })

  it('a boot node that leads nowhere, or nowhere that may be gone to, is said', async () => {
    const leading = (host: string, port: number) =>
      startScriptedBootNode((socket) => socket.send(formatShortPeer({ host, port })))
    await using nowhere = await leading('127.0.0.1', 1)
    await using open = await leading('203.0.113.9', 3000)
    const [dead, refused] = await Promise.all([
      examine(...api(), '--boot-node', nowhere.url),
      examine(...api(), '--boot-node', open.url, '--require-encryption'),
    ])
    const named = 'names ws://127.0.0.1:1/, which cannot be reached: '
    expect(finding(dead, 'gateway').what).toContain(named)
    expect(finding(refused, 'gateway').what).toContain('refused: the connection would not be encrypted')
    expect([dead.code, refused.code]).toEqual([11, 11])
  })

  it('leaves no socket silent at a gateway, also when that was named as a boot node', async () => {
    // Says nothing, and notices who stays: with those a real gateway would send no beacons to anybody.
    const closings: Promise<unknown>[] = []
    await using gateway = await startScriptedBootNode((socket) => void closings.push(once(socket, 'close')))
    const answer = await examine(...api(), '--gateway', gateway.url, '--boot-node', gateway.url)
    await Promise.all(closings)
    expect(gateway.heard).toEqual([])
    expect(gateway.visits()).toBe(2)
    const { what, verdict } = finding(answer, 'gateway')
    expect(verdict).toBe('warning')
    expect(what).toContain(`${gateway.url} (boot node): it names no gateway within a second`)
  })

  it('looks at the stakes of a whole fleet', async () => {
    const [rich = '', other = ''] = network.accounts.developers.map(({ privateKey }) => privateKey)
    const poor = ['poor 1', 'poor 2', 'poor 3', 'poor 4'].map((text) => parsePrivateKey(sha256Hex(text)))
    const file = (name: string, keys: readonly string[]) =>
      world.keyFile(name, ['# keys', ...keys].join('\n'))
    const some = await file('some', [rich, ...poor, 'nonsense'])
    const [fit, mixed, none] = await Promise.all([
      examine(...api(), ...gateway(), '--keys-file', await file('fit', [rich, other])),
      examine(...api(), ...gateway(), '--keys-file', some),
      examine(...api(), ...gateway(), '--keys-file', await file('none', poor)),
    ])
    expect(finding(fit, 'stake')).toMatchObject({
      verdict: 'ok',
      what: 'Each of 2 accounts holds at least 25 DEV.',
    })
    expect(mixed.code).toBe(0)
    expect(finding(mixed, 'stake').verdict).toBe('warning')
    expect(finding(mixed, 'stake').what).toMatch(
      /^4 of 5 accounts hold less than the least stake of 25 DEV: (0[23][0-9a-f]{64}, ){2}0[23][0-9a-f]{64} and 1 more\.$/,
    )
    expect(none.code).toBe(15)
    expect(finding(none, 'stake')).toMatchObject({ verdict: 'failure' })
  })

  it('warns of an agent below its stake, and fails for it only when asked to be strict', async () => {
    const poor = addressOf(parsePrivateKey(sha256Hex('poor agent')))
    await network.control.fund(poor, 5n * 10n ** 10n)
    const args = [...api(), ...gateway(), '--address', developer(), '--agent', poor]
    const [lenient, strict] = await Promise.all([examine(...args), examine(...args, '--strict')])
    expect(lenient.code).toBe(0)
    expect(finding(lenient, 'agent')).toMatchObject({ verdict: 'warning' })
    // Nothing was mined by this account yet either; the agent comes first.
    expect(strict.code).toBe(17)
  })

  it('shows each line with its mark in a pipe, and no colours', async () => {
    const { code, out } = await world.run(['doctor', ...api(), ...gateway(), '--address', stranger])
    expect(code).toBe(15)
    expect(out).toMatch(/^ok {4}api /m)
    expect(out).toMatch(/^FAIL {2}stake .*\n {17}→ Top up 25 DEV/m)
    expect(out).toMatch(/^STAKE_TOO_LOW: /m)
    expect(out.includes('\u001b')).toBe(false)
  })

  it('finds a clock that is behind, and a token owner without native coins', async () => {
    await using other = await startLocalNetwork({ seed: 'doctor 2', blockTimeMs: 60_000 })
    const { tokenOwner, faucet } = other.accounts
    await using client = createClient({ apiUrl: other.apiUrl })
    const all = other.balance(tokenOwner.address)
    await client.sendTransaction({
      wallet: walletFromPrivateKey(tokenOwner.privateKey),
      to: faucet.address,
      amount: toAmount(all),
    })
    await other.control.mine(2)
    const at = ['--api', other.apiUrl, '--gateway', other.gatewayUrl]
    const account = ['--address', other.accounts.developers[0]?.address ?? '']
    const poor = await examine(...at, ...account, '--token', other.tokens.mineable.id)
    expect(other.balance(tokenOwner.address)).toBe(0n)
    expect(poor.code).toBe(16)
    expect(finding(poor, 'owner')).toMatchObject({ verdict: 'failure' })

    other.control.advanceClock(600_000)
    await other.control.mine(2)
    const late = await examine(...at, ...account)
    expect(late.code).toBe(12)
    expect(finding(late, 'clock').what).toContain('in the future')
  })
})
