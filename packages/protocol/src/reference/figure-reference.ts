import {
  circulatingSupplyEndpoint,
  difficultyEndpoint,
  eligibleMinersEndpoint,
  hashRateEndpoint,
  maximumSupplyEndpoint,
  routeListEndpoint,
  totalSupplyEndpoint,
  transactionsPerSecondEndpoint,
} from '../endpoints/figures.ts'
import { healthEndpoint } from '../endpoints/health.ts'
import type { EndpointReference, ReferenceGroup } from './endpoint-reference.ts'

const plain = (
  endpoint: EndpointReference['endpoint'],
  summary: string,
  meaning: string,
): EndpointReference => ({
  endpoint,
  summary,
  description: meaning,
  answer: {},
})

const COINS = 'As plain text: native coins with ten digits after the point, such as `189880563.7500000000`.'

export const figureReference: ReferenceGroup = {
  name: 'Figures',
  description:
    'Single figures, some as plain text for services that read nothing else, and the state of the node.',
  endpoints: [
    {
      endpoint: healthEndpoint,
      summary: 'Whether this node works',
      description:
        'A local network alone; also at `/health` of the server. Status 503 with the same members when macroblocks cannot be closed or the store does not answer. A network with nothing to mine is well.',
      answer: {
        status: '`ok` or `stuck`.',
        height: 'Height of the open key block; null when the store does not answer.',
        last_block_age_ms:
          'Milliseconds since the open key block was made; null when the store does not answer.',
        miners_online: 'Miners that are connected and have introduced themselves.',
        pending: 'Transactions in the pool.',
        store: 'Whether the store answers.',
        reason: 'Why the node is stuck, for people; null when it is not.',
        read_copy: '`in use`, or why the read replica of the database is not used; null without one.',
        leader_line:
          '`open`, or what is wrong with the line to the process that leads, without which miners here are offered nothing; null where this process leads, or is alone.',
      },
      unavailable: 'The node is stuck: macroblocks cannot be closed, or the store does not answer.',
    },
    {
      endpoint: transactionsPerSecondEndpoint,
      summary: 'Transactions a second',
      answer: { tps: 'Calculated transactions of the last 300 seconds, divided by 300 and rounded.' },
    },
    {
      endpoint: difficultyEndpoint,
      summary: 'Difficulty of the proof of work',
      answer: {
        difficulty:
          'Mean of the newest hundred key blocks as text with two digits after the point: bits of work. The number -1 without any block.',
      },
    },
    {
      endpoint: eligibleMinersEndpoint,
      summary: 'Accounts that may mine',
      answer: { total: 'Accounts whose native balance is the least stake or more, connected or not.' },
    },
    {
      endpoint: routeListEndpoint,
      summary: 'Paths of all routes',
      description: 'A list of texts, such as `/api/v1/height`.',
      answer: {},
    },
    plain(
      circulatingSupplyEndpoint,
      'Native coins in circulation',
      `${COINS} Everything but the balance of the genesis account.`,
    ),
    plain(totalSupplyEndpoint, 'All native coins', COINS),
    plain(maximumSupplyEndpoint, 'Limit of the native supply', COINS),
    plain(
      hashRateEndpoint,
      'Hash rate of the network',
      'As plain text: two to the power of the mean difficulty of the newest 5760 key blocks. A local network does no work, so this says what its difficulty would stand for.',
    ),
  ],
}
