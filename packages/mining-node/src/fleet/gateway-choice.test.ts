import { expect, it } from 'vitest'
import { createGatewayChoice } from './gateway-choice.ts'

const [A, B, BOOT] = ['ws://203.0.113.1/', 'ws://203.0.113.2/', 'ws://203.0.113.3/']
let now = 60_000
const choiceOf = (...urls: readonly string[]) =>
  createGatewayChoice({ urls, bootNodeUrls: [BOOT], now: () => now })

it('spreads nodes over gateways, and sends none to a boot node beside them', () => {
  const choice = choiceOf(A, BOOT, B)
  expect([choice.assign(), choice.assign(), choice.assign(), choice.assign()]).toEqual([A, B, A, B])
  expect(choice.surplus().size).toBe(0)
})

it('moves no node between gateways where the spread cannot be better', () => {
  const C = 'ws://203.0.113.4/'
  const choice = choiceOf(A, B, C)
  expect([choice.assign(), choice.assign()]).toEqual([A, B])
  now += 3_600_000
  expect(choice.surplus().size).toBe(0)
  choice.move(A, B)
  expect(choice.surplus()).toEqual(new Map([[B, 1]]))
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

it('leaves a gateway alone that refuses three nodes without a beacon between, longer each time', () => {
  const choice = choiceOf(A, B)
  choice.assign()
  const refuse = (times: number): void => {
    for (let time = 0; time < times; time++) choice.refused(A)
  }
  const isDown = () => choice.view()[0]?.isDown
  refuse(2)
  choice.beaconSeen(A)
  refuse(2)
  expect(isDown()).toBe(false)
  // All that it refuses from here on is the same news.
  refuse(100)
  expect(choice.reassign(A)).toBe(B)
  // That it takes connections says nothing.
  choice.succeeded(A)
  for (const pauseMs of [60_000, 120_000, 240_000]) {
    now += pauseMs - 1
    expect([isDown(), choice.toProbe()]).toEqual([true, []])
    now += 1
    expect([isDown(), choice.toProbe()]).toEqual([false, [A]])
    refuse(1)
  }
  choice.beaconSeen(A)
  expect([isDown(), choice.toProbe()]).toEqual([false, []])
})

it('sends a node that was refused elsewhere, also where its gateway is not down', () => {
  const choice = choiceOf(A, B)
  choice.assign()
  expect([choice.reassign(A), choice.reassign(A, true), choice.reassign(B, true)]).toEqual([A, B, A])
  expect(choiceOf(A).reassign(A, true)).toBe(A)
})
