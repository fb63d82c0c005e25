import { encodeReferralCode, parseAddress } from '@hailstone/protocol'
import { expect, it } from 'vitest'
import { takeAgent } from './take-agent.ts'

const [own, us, them] = ['01', '02', '03'].map((end) => parseAddress(`02${'ab'.repeat(31)}${end}`)) as [
  ReturnType<typeof parseAddress>,
  ReturnType<typeof parseAddress>,
  ReturnType<typeof parseAddress>,
]
const code = encodeReferralCode(us)
const invitation = { code, campaign: 'spring' }

it('an agent taken from a link leaves the campaign of the link', () => {
  const campaign = { address: own, code, name: 'spring' }
  expect(takeAgent(invitation, { own, before: null, next: us })).toEqual({ invitedBy: null, campaign })
  expect(takeAgent(invitation, { own, before: them, next: us })).toEqual({ invitedBy: null, campaign })
  const shouted = { ...invitation, code: `ref_${code.slice(4).toUpperCase()}` }
  expect(takeAgent(shouted, { own, before: null, next: us }).campaign?.name).toBe('spring')
  for (const none of [null, '', 'no name', '<b>'])
    expect(takeAgent({ code, campaign: none }, { own, before: them, next: us })).toStrictEqual({
      invitedBy: null,
      campaign: undefined,
    })
})

it('another agent, none, or the agent of before change nothing about the campaign', () => {
  const used = { invitedBy: null }
  expect(takeAgent(invitation, { own, before: null, next: them })).toStrictEqual(used)
  expect(takeAgent(invitation, { own, before: us, next: null })).toStrictEqual(used)
  expect(takeAgent(invitation, { own, before: us, next: us })).toStrictEqual(used)
  expect(takeAgent(null, { own, before: null, next: us })).toStrictEqual(used)
})
