import { list, orNull, text } from '../schema/leaves.ts'
import { record } from '../schema/record.ts'
import { defineEndpoint } from './define-endpoint.ts'

/** `GET /poa_nodes_online`: one entry per miner that hailed. */
export const minersOnlineEndpoint = defineEndpoint({
  path: '/poa_nodes_online',
  answer: list(
    record({
      address: ['key', text],
      countryName: ['country_name', orNull(text)],
      countryCode: ['country_code', orNull(text)],
    }),
  ),
})
