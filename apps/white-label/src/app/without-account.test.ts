import { expect, it } from 'vitest'
import type { Preferences } from '../host/preferences.ts'
import { withoutAccount } from './without-account.ts'

const [gone, kept] = ['02aa', '02bb']

const preferences = (of: string): Preferences => ({
  language: 'de',
  mode: 'dark',
  keepAwake: null,
  notify: true,
  invitedBy: null,
  campaign: { address: of, code: 'ref_1', name: 'fair' },
  cameBy: { [gone]: { code: 'ref_1', name: 'fair' }, [kept]: { code: 'ref_2', name: 'poster' } },
  campaigns: { [gone]: { names: [], campaignOf: {} }, [kept]: { names: ['spring'], campaignOf: {} } },
  awaitsReward: of,
  celebrates: of,
  offersInstall: of,
})

it('leaves no address of a removed account, and asks nobody again to install the app', () => {
  const change = withoutAccount(preferences(gone), gone)
  expect(JSON.stringify({ ...preferences(gone), ...change })).not.toContain(gone)
  expect(change.offersInstall).toBe(false)
})

it('leaves what it knows of the others', () => {
  const { cameBy, campaigns, ...rest } = withoutAccount(preferences(kept), gone)
  const { campaign, awaitsReward, celebrates, offersInstall } = preferences(kept)
  expect(rest).toEqual({ campaign, awaitsReward, celebrates, offersInstall })
  expect(cameBy).toEqual({ [kept]: { code: 'ref_2', name: 'poster' } })
  expect(campaigns).toEqual({ [kept]: { names: ['spring'], campaignOf: {} } })
})
