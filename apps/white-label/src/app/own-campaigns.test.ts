import { expect, it } from 'vitest'
import { NO_CAMPAIGNS, withCampaign, withMiner, withoutCampaign } from './own-campaigns.ts'

const spring = withMiner(withCampaign(withCampaign(NO_CAMPAIGNS, 'spring'), 'fair'), {
  address: 'a',
  name: 'spring',
})
const both = withMiner(spring, { address: 'b', name: 'fair' })

it('a campaign is added once, and miners are noted for it', () => {
  expect(both).toEqual({ names: ['spring', 'fair'], campaignOf: { a: 'spring', b: 'fair' } })
  expect(withCampaign(both, 'spring')).toBe(both)
  expect(withMiner(both, { address: 'a', name: 'fair' }).campaignOf).toEqual({ a: 'fair', b: 'fair' })
  expect(withMiner(both, { address: 'a', name: null }).campaignOf).toEqual({ b: 'fair' })
})

it('a later campaign of the name of a removed one begins with nobody', () => {
  expect(withoutCampaign(both, 'spring')).toEqual({ names: ['fair'], campaignOf: { b: 'fair' } })
  expect(withCampaign(withoutCampaign(both, 'spring'), 'spring').campaignOf).toEqual({ b: 'fair' })
})
