import { expect, it } from 'vitest'
import { parseJson } from '../json.ts'
import { encodeWith } from '../schema/encode-with.ts'
import { decodeWith } from '../schema/record.ts'
import { networkInfoEndpoint } from './network-info.ts'

const answer = (reward: string) =>
  parseJson(
    `{"target_speed":15,"reward_ratio":{"pos":5500,"poa":3181,"pow":500,"ref":819},"transfer_lock":5,` +
      `"pos_min_stake":25000000000,"origin":{"publisher":"02${'ab'.repeat(32)}","reward":${reward},` +
      `"hash":"BITGENESIS","link":"BITGENESIS","sprout":"BITGENESIS","time":0},` +
      `"fee_shares":{"gen_share":300,"pow_share":50,"ldr_share":50,"pos_share":9600}}`,
  )

it.each(['417259582513106572', '"417259582513106572"', '"0"', '5'])(
  'the initial supply %s is read exactly and written in the form it came in',
  (reward) => {
    const wire = answer(reward)
    const decoded = decodeWith(networkInfoEndpoint.answer, wire)
    if (!decoded.ok) throw new Error(decoded.problem.reason)
    expect(decoded.value.origin.initialSupply).toBe(BigInt(reward.replaceAll('"', '')))
    expect(encodeWith(networkInfoEndpoint.answer, decoded.value)).toEqual(wire)
  },
)

it.each(['null', '"x"', '-1', '18446744073709551616'])('the initial supply %s is refused', (reward) => {
  expect(decodeWith(networkInfoEndpoint.answer, answer(reward))).toMatchObject({
    ok: false,
    problem: { path: 'origin.reward' },
  })
})
