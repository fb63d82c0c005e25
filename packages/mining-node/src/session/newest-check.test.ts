import { walletFromPrivateKey } from '@hailstone/client'
import { type Beacon, offeredTransactionHash, parseServerMessage, sha256Hex } from '@hailstone/protocol'
import { expect, it } from 'vitest'
import { makeBeacon, signedPayment } from '../../test/beacons.ts'
import { createNewestCheck, type VerifyAhead } from './newest-check.ts'

const { address } = walletFromPrivateKey(sha256Hex('miner'))

function beaconOf(count: number): Beacon {
  const transactions = Array.from({ length: count }, (_, nonce) => signedPayment(nonce))
  const message = parseServerMessage(makeBeacon({ publisher: address, nonce: 1, transactions }).text)
  if (message.kind !== 'beacon') throw new Error(`read as ${message.kind}`)
  return message.beacon
}

/** Each verification takes 3 ms of this time; each turn of the loop runs one callback. */
function startCheck(verifyAhead?: VerifyAhead) {
  const turns: (() => void)[] = []
  const checked: number[] = []
  let nowMs = 0
  let verified = 0
  const { offer, cancel } = createNewestCheck({
    address,
    verifyAhead,
    verify: () => {
      verified++
      nowMs += 3
      return true
    },
    clock: {
      now: () => nowMs,
      wallNow: () => nowMs,
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

it('P-5: does not verify what was verified ahead meanwhile', () => {
  const check = startCheck(({ content }, verified) => {
    for (const offered of content.transactions.slice(20)) verified.add(offeredTransactionHash(offered))
  })
  check.offer(1, beaconOf(50))
  while (check.turns.length > 0) check.turn()
  expect(check.verified()).toBe(20)
  expect(check.checked).toEqual([1])
})

it('P-5: has nothing verified ahead of a beacon that is refused without it', () => {
  const asked: Beacon[] = []
  const check = startCheck((beacon) => asked.push(beacon))
  check.offer(1, { ...beaconOf(50), microblockHash: sha256Hex('another') })
  check.turn()
  expect(check.checked).toEqual([-1])
  expect(asked).toEqual([])
})
