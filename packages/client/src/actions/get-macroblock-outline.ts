import { defineEndpoint, required } from '@hailstone/protocol'
import {
  amount,
  count,
  hash,
  list,
  optional,
  orNull,
  record,
  type Schema,
  text,
  type Value,
} from '@hailstone/protocol/schema'
import type { ClientCore } from '../client-core.ts'
import { type Calculated, type GetMacroblockParameters, macroblockAt } from './macroblock-at.ts'

/** Seconds on the wire. */
const unixMs: Schema<number> = {
  read: (wire) => {
    const seconds = count.read(wire)
    return typeof seconds === 'number' ? seconds * 1_000 : seconds
  },
}

const names = list(record({ hash }))

/** Reads only the members that link macroblocks and prove their lists, so that pages that watch load no more. */
const outlineEndpoint = defineEndpoint({
  path: '/macroblock_by_height',
  parameters: { height: required('height', 'height') },
  answer: record({
    keyBlock: [
      'kblock',
      optional(
        record({
          hash,
          height: ['n', count],
          /** Unix milliseconds. */
          timeMs: ['time', unixMs],
          link: hash,
          merkleRoot: ['m_root', text],
          reward: orNull(amount),
          publisher: optional(text),
        }),
      ),
    ],
    microblocks: ['mblocks', names],
    statBlocks: ['sblocks', names],
  }),
})

/** A key block as its neighbours see it, and the names of the blocks that extend it. */
export type MacroblockOutline = Calculated<Value<typeof outlineEndpoint.answer>>

/**
 * Reads what somebody who follows the chain needs of the macroblock at a height; undefined when the chain has not come that far.
 *
 * Source: `GET /macroblock_by_height`, as `getMacroblock`.
 *
 * @throws {NodeError} `HTTP_STATUS`, `REQUEST_TIMEOUT`, `REQUEST_FAILED`, `RESPONSE_INVALID`
 */
export const getMacroblockOutline = (
  client: ClientCore,
  parameters: GetMacroblockParameters,
): Promise<MacroblockOutline | undefined> => macroblockAt(client, outlineEndpoint, parameters)
