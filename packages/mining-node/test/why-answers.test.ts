import { createClient, createWallet } from '@hailstone/client'
import { type LocalNetwork, startLocalNetwork } from '@hailstone/local-network'
import type { Address } from '@hailstone/protocol'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createMiningNode } from '../src/node.ts'
import { isUnmet, readAnswers, referralSentence, shareFactsOf, workOf } from '../src/why/index.ts'
import { until } from './until.ts'

const COIN = 10n ** 10n
const BLOCK_MS = 300
const away = { why: 'no miner of this account runs on this machine' }

let network: LocalNetwork
beforeAll(async () => {
  network = await startLocalNetwork({ seed: 'why', blockTimeMs: BLOCK_MS })
})
afterAll(() => network.stop())

const codesOf = (parts: readonly { readonly code: string }[]): readonly string[] =>
  parts.map(({ code }) => code)

describe('the questions of a miner', () => {
  it('are answered with figures where it mines with an agent that has its stake', async () => {
    await using client = createClient({ apiUrl: network.apiUrl })
    const [wallet, agent] = [createWallet(), createWallet()]
    await network.control.fund(wallet.address, 1_000n * COIN)
    await network.control.fund(agent.address, 1_000n * COIN)
    const terms = { wallet, client, gatewayUrl: network.gatewayUrl, blockTimeMs: BLOCK_MS }
    await using node = createMiningNode({ ...terms, referralAgent: agent.address })
    await node.start()
    await until(() => node.snapshot().lastReward !== null, 'it is rewarded')
    const { publications, connected, tokenId } = node.snapshot()
    expect(connected.sinceMs).not.toBeNull()
    const question = { address: wallet.address, tokenId, work: workOf(publications), onlineMs: 60_000 }
    const { token, seen, share, referral } = await readAnswers(client, question)
    expect(seen).toStrictEqual({ status: 'seen', online: 1 })
    expect(codesOf(share)).toStrictEqual([
      'STAKE_PART',
      'WORK',
      'ONLINE',
      expect.stringMatching(/^SLOT_(YES|NO)$/),
    ])
    expect(referral).toContainEqual({ code: 'AGENT', agent: agent.address })
    expect(referral).toContainEqual(expect.objectContaining({ code: 'SINCE', isAtLeast: false }))
    expect(referral.filter(isUnmet)).toStrictEqual([])
    const slot = await client.getTokenSlot({ tokenId })
    const own = shareFactsOf({ snapshot: node.snapshot(), slot, nowMs: Date.now() })
    expect(own?.maximumStake).toBeTypeOf('bigint')
    await node.stop()
    expect(node.snapshot().connected.sinceMs).toBeNull()
    expect(node.snapshot().connected.beforeMs).toBeGreaterThan(0)
    if (token === null) throw new Error('the token is known')
    expect(referral.map((part) => referralSentence(part, token)).join('\n')).not.toContain('Not met')
  })

  it('are answered where nothing of it is so, or known', async () => {
    await using client = createClient({ apiUrl: network.apiUrl })
    await using nobody = createClient({ apiUrl: 'http://127.0.0.1:1/api/v1', retry: { maxAttempts: 1 } })
    const [address, agent] = [createWallet().address, createWallet().address]
    const tokenId = await client.getNativeTokenId()
    const ask = (named: Address | null | undefined, at = client) =>
      readAnswers(at, { address, tokenId, agent: named, work: away, onlineMs: away })
    const { seen, share, referral } = await ask(agent)
    expect(seen.status).not.toBe('seen')
    expect(codesOf(share).slice(0, 3)).toStrictEqual(['STAKE_BELOW', 'WORK_UNKNOWN', 'ONLINE_UNKNOWN'])
    expect(codesOf(referral.filter(isUnmet))).toStrictEqual(['OWN_STAKE', 'NAMED', 'AGENT_BALANCE'])
    expect(codesOf((await ask(null)).referral)).toStrictEqual(['NO_AGENT', 'CHANGING'])
    expect(codesOf((await ask(undefined)).referral)).toStrictEqual(['AGENT_UNKNOWN', 'CHANGING'])
    const silent = await ask(agent, nobody)
    expect(silent.seen).toStrictEqual({ status: 'unknown', reason: 'failed' })
    expect(codesOf(silent.share)).toStrictEqual([
      'STAKE_UNKNOWN',
      'WORK_UNKNOWN',
      'ONLINE_UNKNOWN',
      'SLOT_UNKNOWN',
    ])
    expect(silent.referral.filter(isUnmet)).toStrictEqual([])
  })

  it('are the same in upper case, and are refused for what is no account', async () => {
    await using client = createClient({ apiUrl: network.apiUrl })
    const { address } = createWallet()
    const question = { address, tokenId: await client.getNativeTokenId(), work: away, onlineMs: away }
    const own = await readAnswers(client, { ...question, agent: address })
    expect(own.referral).toContainEqual({ code: 'OWN_CODE', agent: address })
    const upper = { address: address.toUpperCase(), tokenId: question.tokenId.toUpperCase() }
    expect(await readAnswers(client, { ...question, ...upper, agent: upper.address })).toStrictEqual(own)
    for (const wrong of [{ address: 'ada' }, { agent: 'ada' }])
      await expect(readAnswers(client, { ...question, ...wrong })).rejects.toThrow(/ADDRESS|address/)
    await expect(readAnswers(client, { ...question, tokenId: 'DEV' })).rejects.toThrow(/token/i)
  })
})
