import { count, figure, list, text } from '../schema/leaves.ts'
import { record } from '../schema/record.ts'
import { defineEndpoint, defineText } from './define-endpoint.ts'

/** `GET /tps`: transactions per second, mean of five minutes, rounded. */
export const transactionsPerSecondEndpoint = defineEndpoint({
  path: '/tps',
  answer: record({ transactionsPerSecond: ['tps', count] }),
})

/** `GET /difficulty`: mean of a hundred key blocks as text with two decimals; the number -1 if there are none. */
export const difficultyEndpoint = defineEndpoint({
  path: '/difficulty',
  answer: record({ difficulty: figure }),
})

/** `GET /poa_with_stake`: accounts with at least the minimum native stake. */
export const eligibleMinersEndpoint = defineEndpoint({
  path: '/poa_with_stake',
  answer: record({ count: ['total', count] }),
})

/** `GET /list`: the paths of all routes. */
export const routeListEndpoint = defineEndpoint({ path: '/list', answer: list(text) })

/** `GET /ext/plain/circ_supply`: native coins in circulation, with ten digits after the point. */
export const circulatingSupplyEndpoint = defineText('/ext/plain/circ_supply')
/** `GET /ext/plain/total_supply`: all native coins, with ten digits after the point. */
export const totalSupplyEndpoint = defineText('/ext/plain/total_supply')
/** `GET /ext/plain/max_supply`: limit of the native supply in coins, with ten digits after the point. */
export const maximumSupplyEndpoint = defineText('/ext/plain/max_supply')
/** `GET /ext/plain/hashrate`: two to the power of the mean difficulty of a day. */
export const hashRateEndpoint = defineText('/ext/plain/hashrate')
