import { encodeReferralCode, parseAddress } from '@hailstone/protocol'
import { expect, it } from 'vitest'
import { takeAgent } from './take-agent.ts'

const [own, us, them] = ['01', '02', '03'].map((end) => parseAddress(`02${'ab'.repeat(31)}${end}`)) as [
  ReturnType<typeof parseAddress>,
  ReturnType<typeof parseAddress>,
  ReturnType<typeof parseAddress>,
]
const code = encodeReferralCode(us)
const invitedBy = { code, campaign: 'spring' }
const invitation = { invitedBy }

it('an agent taken from a link leaves the campaign of the link', () => {
  const cameBy = { [own]: { code, name: 'spring' } }
  expect(takeAgent(invitation, { own, before: null, next: us })).toEqual({ invitedBy: null, cameBy })
  expect(takeAgent(invitation, { own, before: them, next: us })).toEqual({ invitedBy: null, cameBy })
  const shouted = { invitedBy: { ...invitedBy, code: `ref_${code.slice(4).toUpperCase()}` } }
  expect(takeAgent(shouted, { own, before: null, next: us }).cameBy?.[own]?.name).toBe('spring')
  for (const none of [null, '', 'no name', '<b>'])
    expect(
      takeAgent({ invitedBy: { code, campaign: none }, cameBy }, { own, before: them, next: us }).cameBy?.[
        own
      ],
    ).toBeUndefined()
})

it('another agent, none, or the agent of before change nothing about the campaign', () => {
  const used = { invitedBy: null }
  expect(takeAgent(invitation, { own, before: null, next: them })).toStrictEqual(used)
  expect(takeAgent(invitation, { own, before: us, next: null })).toStrictEqual(used)
  expect(takeAgent(invitation, { own, before: us, next: us })).toStrictEqual(used)
  expect(takeAgent({ invitedBy: null }, { own, before: null, next: us })).toStrictEqual(used)
})

it('the campaign of another account stays, also one that an earlier version stored', () => {
  const kept = {
    campaign: { address: them, code, name: 'autumn' },
    cameBy: { [us]: { code, name: 'winter' } },
  }
  const change = takeAgent({ ...invitation, ...kept }, { own, before: null, next: us })
  expect(change.campaign).toEqual(kept.campaign)
  expect(change.cameBy).toEqual({ ...kept.cameBy, [own]: { code, name: 'spring' } })
  const earlier = { ...invitation, campaign: { address: own, code, name: 'autumn' } }
  expect(takeAgent(earlier, { own, before: null, next: us }).campaign).toBeUndefined()
})
