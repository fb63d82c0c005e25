import { walletFromPrivateKey } from '@hailstone/client'
import { apiError, type Hash, sha256Hex } from '@hailstone/protocol'
import { describe, expect, it } from 'vitest'
import { readNamedAgent } from './read-named-agent.ts'
import { explainReferral, isUnmet, type ReferralFacts, referralSentence } from './referral.ts'

const own = walletFromPrivateKey(sha256Hex('invited')).address
const agent = walletFromPrivateKey(sha256Hex('agent')).address
const token = { symbol: 'DEV', decimals: 2 }
const away = { why: 'the API did not answer' }
const facts: ReferralFacts = {
  ...{ token, agent, own, balance: 2_500n, minimumStake: 2_500n, referrerStake: 100_000n },
  named: { status: 'named', sinceMs: Date.UTC(2026, 0, 2, 3, 4), isAtLeast: false },
  agentBalance: { amount: 100_000n, isKnown: true },
}
const partsOf = (changed: Partial<ReferralFacts>) => explainReferral({ ...facts, ...changed })
const unmet = (changed: Partial<ReferralFacts>) =>
  partsOf(changed)
    .filter(isUnmet)
    .map((part) => ('side' in part ? `${part.code} ${part.side}` : part.code))
const text = (changed: Partial<ReferralFacts>) =>
  partsOf(changed)
    .map((part) => referralSentence(part, token))
    .join('\n')

describe('the referrer of a miner', () => {
  it('is named with its code, since when, the conditions, and what changing does', () => {
    expect(text({}).split('\n')).toStrictEqual([
      `The referrer is ${agent}, with the code ${'ref_'}${text({}).match(/ref_(\w+)/)?.[1]}.`,
      'Its microblocks name this referrer since 2026-01-02 03:04 UTC.',
      'Met by the miner: it holds 25 DEV of 25 DEV.',
      'Its newest microblock in the chain names this referrer: met.',
      'Met by the referrer: it holds 1000 DEV of 1000 DEV.',
      expect.stringMatching(/^The code can be changed at any time, at no cost/),
    ])
  })

  it.each<readonly [string[], Partial<ReferralFacts>]>([
    [[], {}],
    [['OWN_STAKE miner'], { balance: 2_499n }],
    [['AGENT_STAKE agent'], { agentBalance: { amount: 99_999n, isKnown: true } }],
    [['AGENT_BALANCE agent'], { agentBalance: { amount: 0n, isKnown: false } }],
    [['NAMED miner'], { named: { status: 'none' } }],
    [['NAMED miner'], { named: { status: 'other' } }],
    [[], { balance: away, agentBalance: away, referrerStake: away, named: { status: 'unknown', ...away } }],
  ])('fails in %j', (expected, changed) => {
    expect(unmet(changed)).toStrictEqual(expected)
  })

  it('is nobody, the miner itself, or unknown', () => {
    expect(text({ agent: null })).toContain('the referral reward goes to the owner of DEV')
    expect(text({ agent: own })).toContain('it gets both halves')
    expect(text({ agent: away })).toContain('is not known: the API did not answer.')
    expect(text({ balance: away, agentBalance: away })).not.toContain('Not met')
  })
})

describe('the agent that the chain names', () => {
  const hash = (at: number): Hash => sha256Hex(`microblock ${at}`)
  /** A history, newest first, of own microblocks with these agents. */
  const chain = (...agents: readonly (string | null)[]) => ({
    getRewards: async ({ page = 0 }: { readonly page?: number | undefined }) => {
      const records = agents
        .map((_, at) => ({ recordType: 'im', hash: hash(at), time: 1_000 - at }))
        .slice(10 * page, 10 * page + 10)
      return { records, isLast: 10 * page + 10 > agents.length } as never
    },
    getMicroblock: async ({ hash: of }: { readonly hash: string }) =>
      ({
        header: { referralAgent: agents[agents.findIndex((_, at) => hash(at) === (of as Hash))] },
      }) as never,
  })
  const named = (...agents: readonly (string | null)[]) =>
    readNamedAgent(chain(...agents), { address: own, agent }).then((found) => found.named)

  it('is found with the time of the oldest microblock in a row that names it', async () => {
    expect(await named(agent, agent, null)).toStrictEqual({
      status: 'named',
      sinceMs: 999_000,
      isAtLeast: false,
    })
    expect(await named(...Array.from({ length: 30 }, () => agent))).toMatchObject({ isAtLeast: true })
    expect(await named(null, agent)).toStrictEqual({ status: 'other' })
    expect(await named()).toStrictEqual({ status: 'none' })
    expect((await readNamedAgent(chain(agent), { address: own })).agent).toBe(agent)
  })

  it('is not denied by a node that has just started', async () => {
    const empty = { records: [], isLast: true } as never
    let asked = 0
    const full = chain(...Array.from({ length: 20 }, () => null))
    const getRewards: typeof full.getRewards = async (given) =>
      asked++ % 2 === 0 ? empty : full.getRewards(given)
    const found = await readNamedAgent({ ...full, getRewards }, { address: own, agent: null })
    expect(found.named).toStrictEqual({ status: 'other' })
    const nine = chain(...Array.from({ length: 9 }, () => agent))
    const page = {
      ...nine,
      getRewards: async ({ page: at = 0 }) =>
        at > 0 ? empty : ({ ...((await nine.getRewards({})) as object), isLast: false } as never),
    }
    expect((await readNamedAgent(page, { address: own, agent })).named).toMatchObject({
      status: 'named',
      isAtLeast: true,
    })
  })

  it('is unknown where the chain is not read', async () => {
    const failing = async () => {
      throw apiError('REQUEST_FAILED', { path: '/account_rewards', reason: 'away' })
    }
    const client = { ...chain(agent), getRewards: failing }
    expect(await readNamedAgent(client, { address: own })).toMatchObject({
      agent: undefined,
      named: { status: 'unknown' },
    })
    const behind = { ...chain(agent), getMicroblock: async () => undefined }
    expect((await readNamedAgent(behind, { address: own })).named.status).toBe('unknown')
    const full = chain(agent, agent, agent)
    const getMicroblock = (asked: { readonly hash: string }) =>
      asked.hash === hash(2) ? behind.getMicroblock() : full.getMicroblock(asked)
    expect((await readNamedAgent({ ...full, getMicroblock }, { address: own, agent })).named).toStrictEqual({
      ...{ status: 'named', sinceMs: 999_000, isAtLeast: true },
    })
  })
})
