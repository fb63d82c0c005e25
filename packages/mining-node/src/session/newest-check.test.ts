import { walletFromPrivateKey } from '@hailstone/client'
import { type Beacon, parseServerMessage, sha256Hex } from '@hailstone/protocol'
import { expect, it } from 'vitest'
import { makeBeacon, signedPayment } from '../../test/beacons.ts'
import { createNewestCheck } from './newest-check.ts'

const { address } = walletFromPrivateKey(sha256Hex('miner'))

function beaconOf(count: number): Beacon {
  const transactions = Array.from({ length: count }, (_, nonce) => signedPayment(nonce))
  const message = parseServerMessage(makeBeacon({ publisher: address, nonce: 1, transactions }).text)
  if (message.kind !== 'beacon') throw new Error(`read as ${message.kind}`)
  return message.beacon
}

/** Each verification takes 3 ms of this time; each turn of the loop runs one callback. */
function startCheck() {
  const turns: (() => void)[] = []
  const checked: number[] = []
  let nowMs = 0
  let verified = 0
  const { offer, cancel } = createNewestCheck({
    address,
    verify: () => {
      verified++
      nowMs += 3
      return true
    },
    clock: {
      now: () => nowMs,
      after: (_, callback) => {
        turns.push(callback)
        return () => turns.splice(turns.indexOf(callback), 1)
      },
    },
    onChecked: ({ beaconNumber }, check) => checked.push(check.ok ? beaconNumber : -1),
  })
  return {
    offer: (beaconNumber: number, beacon: Beacon) => offer({ connection: 1, beaconNumber, beacon }),
    cancel,
    checked,
    turns,
    turn: () => turns.shift()?.(),
    verified: () => verified,
  }
}

it('A-12: verifies a long beacon in slices, between which sockets and timers are served', async () => {
  const check = startCheck()
  check.offer(1, beaconOf(50))
  for (let turn = 1; turn <= 16; turn++) {
    check.turn()
    expect(check.verified()).toBe(3 * turn)
  }
  check.turn()
  expect(check.verified()).toBe(50)
  expect(check.checked).toEqual([1])
  expect(check.turns).toEqual([])
})

it('leaves a beacon half checked when a newer one comes, and keeps what it verified', () => {
  const check = startCheck()
  const long = beaconOf(50)
  check.offer(1, long)
  check.turn()
  check.offer(2, beaconOf(2))
  check.turn()
  expect(check.checked).toEqual([2])
  expect(check.verified()).toBe(3)
  expect(check.turns).toEqual([])
})

it('leaves nothing when it is cancelled midway', () => {
  const check = startCheck()
  check.offer(1, beaconOf(50))
  check.turn()
  check.cancel()
  expect(check.turns).toEqual([])
  expect(check.checked).toEqual([])
})
