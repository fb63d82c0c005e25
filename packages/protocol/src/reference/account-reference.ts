import {
  accountEndpoint,
  agentInfoEndpoint,
  balanceAllEndpoint,
  balanceAllUnfilteredEndpoint,
  balanceEndpoint,
  balanceMineableEndpoint,
  balanceReissuableEndpoint,
  incomingEndpoint,
  keyBlockRewardsEndpoint,
  miningRewardsEndpoint,
  outgoingEndpoint,
  recordsOfHashEndpoint,
  referralRewardsEndpoint,
  rewardsEndpoint,
  statBlockRewardsEndpoint,
  transactionsEndpoint,
} from '../endpoints/index.ts'
import type { DescribedEndpoint, EndpointReference, ReferenceGroup } from './endpoint-reference.ts'
import {
  holdingMeanings,
  type Meanings,
  minedHistory,
  NATIVE_UNITS,
  plainHoldingMeanings,
  referralHistory,
  rewardHistory,
  transactionHistory,
  transferHistory,
  UNITS,
  under,
  wholeHistory,
} from './meanings.ts'

const ADDRESS = 'Address of the account: 66 hex digits that begin with 02 or 03.'

const balances = (
  endpoint: DescribedEndpoint,
  { summary, answer, description }: Pick<EndpointReference, 'summary' | 'answer' | 'description'>,
): EndpointReference => ({
  endpoint,
  summary,
  description:
    `${description ?? ''} Rows with amount 0 are included; the list has no order and is empty for an unknown account.`.trim(),
  parameters: { id: ADDRESS },
  answer: under('[].', answer),
})

export const balanceReference: ReferenceGroup = {
  name: 'Balances',
  description: 'What an account holds.',
  endpoints: [
    {
      endpoint: balanceEndpoint,
      summary: 'Balance of one token',
      description:
        'For an unknown account or token the amount is 0, `token` and `ticker` are absent and `decimals` says 10 whatever the token has.',
      parameters: { id: ADDRESS, token: 'Identifier of the token; the native one when absent.' },
      answer: {
        amount: `Balance; this alone counts as stake. In units of the token. ${UNITS}`,
        token: 'Identifier of the token. Absent when the account or the token is unknown.',
        ticker: 'Short name of the token. Absent when the account or the token is unknown.',
        decimals: 'Decimals of the token, 0 to 10.',
        delegated: `At proof-of-stake pools. ${NATIVE_UNITS}`,
        reward: `Earned at proof-of-stake pools and not claimed. ${NATIVE_UNITS}`,
        transit: `Undelegated and still locked. ${NATIVE_UNITS}`,
        undelegated: `Undelegated, unlocked and not claimed. ${NATIVE_UNITS}`,
      },
    },
    balances(balanceAllEndpoint, {
      summary: 'Balances of all listed tokens',
      description:
        'The public network shows tokens of its operator’s list alone, a local one shows every token.',
      answer: holdingMeanings,
    }),
    balances(balanceAllUnfilteredEndpoint, { summary: 'Balances of all tokens', answer: holdingMeanings }),
    balances(balanceMineableEndpoint, {
      summary: 'Balances of mineable tokens',
      answer: plainHoldingMeanings,
    }),
    balances(balanceReissuableEndpoint, {
      summary: 'Balances of reissuable tokens',
      answer: plainHoldingMeanings,
    }),
    {
      endpoint: agentInfoEndpoint,
      summary: 'What a referral agent brought in during a day',
      description: 'An empty body for an account that nobody named and that earned nothing.',
      parameters: { id: ADDRESS },
      answer: {
        id: 'The account.',
        ref_count: 'Different miners that named it as their agent.',
        ref_reward: `Sum of the mining rewards of those miners, not of the referral part. ${UNITS} Null when there is none.`,
        k_reward: `Its key-block rewards. ${NATIVE_UNITS} Null when there is none.`,
        s_reward: `Its statblock rewards. ${NATIVE_UNITS} Null when there is none.`,
        lastcalc: 'When the figures were computed, Unix seconds.',
      },
    },
  ],
}

const history = (endpoint: DescribedEndpoint, summary: string, answer: Meanings): EndpointReference => ({
  endpoint,
  summary,
  parameters: {
    id: `${ADDRESS} Stake pools have histories too, under their 64 digits.`,
    page: 'Page from 0, the newest; ten records each. Without it the records are left out.',
  },
  answer,
  missing: '`id` is missing.',
})

export const historyReference: ReferenceGroup = {
  name: 'Histories',
  description:
    'What happened to an account, ten records a page, newest first. Every list numbers its records by itself; `i` is always the number among all.',
  endpoints: [
    history(rewardsEndpoint, 'Every reward', rewardHistory),
    history(transactionsEndpoint, 'Transfers, confirmed and rejected', transactionHistory),
    history(referralRewardsEndpoint, 'Referral rewards', referralHistory),
    history(miningRewardsEndpoint, 'Mining rewards', minedHistory),
    history(keyBlockRewardsEndpoint, 'Key-block rewards', minedHistory),
    history(statBlockRewardsEndpoint, 'Statblock rewards, of a pool', minedHistory),
    history(incomingEndpoint, 'Received transfers', transferHistory),
    history(outgoingEndpoint, 'Sent transfers', transferHistory),
    history(accountEndpoint, 'Everything', wholeHistory),
    {
      endpoint: recordsOfHashEndpoint,
      summary: 'Every record of one block or transaction',
      parameters: { hash: 'Hash of a microblock, statblock, key block or transaction.' },
      answer: under('[].', {
        id: 'The account, or the identifier of a stake pool.',
        hash: 'The hash that was asked for.',
        time: 'Time of the key block, Unix seconds.',
        rectype: 'Type of the record, as in `/account_rewards`; transfers are `iin` and `iout`.',
        value: `Units: of a transfer the gross amount. ${UNITS}`,
      }),
    },
  ],
}
