import { toAmount } from '@hailstone/protocol'
import { expect, it } from 'vitest'
import { exchangesOf } from '../../test/support/recordings.ts'
import { scriptedTransport } from '../../test/support/scripted-transport.ts'
import { createClient } from '../node.ts'

const bodyNamed = (name: string): string =>
  exchangesOf('vectors/api_responses.json').find((exchange) => exchange.name === name)?.body ?? ''

const returnOf = (body: string) =>
  createClient({
    apiUrl: 'http://127.0.0.1:1',
    transport: scriptedTransport(() => body),
  }).getExpectedReturn({
    stake: toAmount(1_250_000_000_000n),
  })

it('estimates a day, a week, a month and a year', async () => {
  const estimate = await returnOf(bodyNamed('roi_by_stake exact point'))
  expect(estimate?.day.percent).toBeCloseTo(0.0852215)
  expect(estimate?.week.percent).toBeCloseTo(0.5965505)
  expect(estimate?.month.units).toBeCloseTo(31_958_064_060, -2)
  expect(estimate?.year.units).toBeCloseTo(388_823_112_730, -2)
})

it('has no estimate for a stake outside the table', async () => {
  expect(await returnOf(bodyNamed('roi_by_stake out of range'))).toBeUndefined()
})

it('refuses an answer that lacks a span', async () => {
  await expect(returnOf('{"percent":[1,2,3],"enq":[1,2,3]}')).rejects.toMatchObject({
    code: 'RESPONSE_INVALID',
  })
})
