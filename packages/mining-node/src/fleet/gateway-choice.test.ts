import { expect, it } from 'vitest'
import { createGatewayChoice } from './gateway-choice.ts'

const [A, B, BOOT] = ['ws://203.0.113.1/', 'ws://203.0.113.2/', 'ws://203.0.113.3/']
const choiceOf = (...urls: readonly string[]) =>
  createGatewayChoice({ urls, bootNodeUrls: [BOOT], now: () => 60_000 })

it('spreads nodes over gateways, and sends none to a boot node beside them', () => {
  const choice = choiceOf(A, BOOT, B)
  expect([choice.assign(), choice.assign(), choice.assign(), choice.assign()]).toEqual([A, B, A, B])
  expect(choice.surplus().size).toBe(0)
})

it('sends nodes to a boot node where nothing else is left, and to gateways again after it', () => {
  const choice = choiceOf(A, BOOT)
  choice.assign()
  for (let failure = 0; failure < 3; failure++) choice.failed(A)
  expect(choice.reassign(A)).toBe(BOOT)
  for (let failure = 0; failure < 3; failure++) choice.failed(BOOT)
  expect(choice.reassign(BOOT)).toBe(BOOT)
  choice.succeeded(A)
  expect(choice.reassign(BOOT)).toBe(A)
})

it('knows a boot node alone', () => {
  const choice = choiceOf(BOOT)
  expect([choice.assign(), choice.assign()]).toEqual([BOOT, BOOT])
  expect(choice.view()).toMatchObject([{ url: BOOT, nodes: 2 }])
})
