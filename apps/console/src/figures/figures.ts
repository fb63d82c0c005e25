import { agents } from './agents.ts'
import { below } from './below.ts'
import { emission } from './emission.ts'
import type { FigureDefinition } from './figure.ts'
import { health } from './health.ts'
import { hours } from './hours.ts'
import { type MinersQuery, miners } from './miners.ts'
import { overview } from './overview.ts'
import { payouts } from './payouts.ts'
import { retention } from './retention.ts'
import { rewardSums, rewards } from './rewards.ts'
import { stakes } from './stakes.ts'

/** Every figure by its name in the API. Page, API and export call these and nothing else. */
export const figures = {
  overview: {
    title: 'Overview',
    summary: 'Miners, microblocks, rewards and transfers of each of 90 days.',
    compute: overview,
  },
  hours: {
    title: 'Hours',
    summary: 'Miners of the newest whole hours, beside the same hour of the 7 days before.',
    compute: hours,
  },
  miners: {
    title: 'Miners',
    summary: 'Everybody who ever mined the token, by what was earned, by microblocks, or the newest first.',
    compute: miners,
  } satisfies FigureDefinition<MinersQuery>,
  retention: {
    title: 'Retention',
    summary: 'Share of the new miners of each week who mined again in later weeks.',
    compute: retention,
  },
  rewards: { title: 'Rewards', summary: 'Units paid on each of 90 days, by kind.', compute: rewards },
  'reward-sums': {
    title: 'Sums of rewards',
    summary: 'Units paid today and in 7, 30 and 90 days, by kind and in all.',
    compute: rewardSums,
  },
  emission: {
    title: 'Emission',
    summary: 'Supply, its limit, and the day on which nothing is left to be mined.',
    compute: emission,
  },
  stakes: { title: 'Stakes', summary: 'Holders in powers of two of the least stake.', compute: stakes },
  below: {
    title: 'Below the stake',
    summary: 'Miners whose balance is below the least stake.',
    compute: below,
  },
  agents: {
    title: 'Agents',
    summary: 'Referral agents and campaigns with what they brought and earned.',
    compute: agents,
  },
  payouts: { title: 'Payouts', summary: 'Transfers of labelled payers.', compute: payouts },
  health: {
    title: 'Health',
    summary: 'Holders, shares, rejected transfers, and rewards that are not as computed.',
    compute: health,
  },
} as const

export type FigureName = keyof typeof figures
