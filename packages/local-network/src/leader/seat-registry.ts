import type { Address, TokenId } from '@hailstone/protocol'
import type { OnlineMiner } from '../gateway/online-miner.ts'
import type { Claim, GatewayEnd, ReceivedHail, Seat } from './gateway-end.ts'

/**
 * Knows at which gateway each miner sits, so that of two connections with one key the newer one stays, wherever they are
 * (PROTOCOL 5.3). The order in which claims arrive here is the order of the hails.
 */
export type SeatRegistry = {
  readonly claim: (gateway: GatewayEnd, claim: Claim) => void
  readonly leave: (gateway: GatewayEnd, seat: Seat) => void
  /** The gateway is gone, and all its miners with it. */
  readonly leaveAll: (gateway: GatewayEnd) => void
  /** Returns the miners of all gateways but one. */
  readonly miners: (besides?: GatewayEnd) => readonly OnlineMiner[]
  /** Returns another number after each change of the miners. */
  readonly version: () => number
}

type HeldSeat = Seat & {
  tokenId: TokenId
  readonly gateway: GatewayEnd
  /** By the clock of this process. */
  readonly sinceMs: number
  hasLeft: boolean
}

const isSeatOf = (one: HeldSeat | undefined, gateway: GatewayEnd, seat: Seat): one is HeldSeat =>
  one?.gateway === gateway && one.session === seat.session && one.address === seat.address

export const createSeatRegistry = (now: () => number = () => performance.now()): SeatRegistry =>
  new Registry(now)

class Registry implements SeatRegistry {
  readonly #now: () => number
  readonly #held = new Map<Address, HeldSeat>()
  /** Seats that were claimed while somebody else has one with their key, until it is known who leaves; by key. */
  readonly #undecided = new Map<Address, Set<HeldSeat>>()
  #version = 0

  constructor(now: () => number) {
    this.#now = now
  }

  readonly version = (): number => this.#version

  readonly miners = (besides?: GatewayEnd): readonly OnlineMiner[] =>
    Array.from(this.#held.values())
      .filter(({ gateway }) => gateway !== besides)
      .map(({ address, tokenId }) => ({ address, tokenId }))

  readonly claim = (gateway: GatewayEnd, { address, session, tokenId, hail, ageMs }: Claim): void => {
    const sinceMs = this.#now() - ageMs
    const seat: HeldSeat = { address, session, tokenId, gateway, sinceMs, hasLeft: false }
    const held = this.#held.get(address)
    const known = this.#ofKey(address).find((one) => isSeatOf(one, gateway, { address, session }))
    if (known !== undefined) {
      known.tokenId = tokenId
      this.#version++
    }
    // A gateway sees to its own sessions.
    else if (held === undefined || held.gateway === gateway) this.#hold(seat)
    else if (held.sinceMs <= sinceMs) this.#contest(held, seat, hail)
    // The claim of the older one came later, as after a change of the leader. Hails are not kept here.
    else {
      this.#doubt(seat)
      held.gateway.hailOf(held, (hailOfHeld) => {
        if (hailOfHeld !== null) this.#contest(seat, held, hailOfHeld)
        else {
          this.#forget(held)
          if (!seat.hasLeft) this.#settle(seat)
        }
      })
    }
  }

  readonly leave = (gateway: GatewayEnd, { address, session }: Seat): void => {
    for (const one of this.#ofKey(address))
      if (isSeatOf(one, gateway, { address, session })) this.#forget(one)
  }

  readonly leaveAll = (gateway: GatewayEnd): void => {
    const undecided = Array.from(this.#undecided.values(), (seats) => [...seats]).flat()
    for (const seat of [...this.#held.values(), ...undecided])
      if (seat.gateway === gateway) this.#forget(seat)
  }

  #ofKey(address: Address): readonly HeldSeat[] {
    const held = this.#held.get(address)
    const undecided = this.#undecided.get(address) ?? []
    return held === undefined ? [...undecided] : [held, ...undecided]
  }

  #doubt(seat: HeldSeat): void {
    const seats = this.#undecided.get(seat.address)
    if (seats === undefined) this.#undecided.set(seat.address, new Set([seat]))
    else seats.add(seat)
  }

  #decide(seat: HeldSeat): void {
    const seats = this.#undecided.get(seat.address)
    if (seats?.delete(seat) === true && seats.size === 0) this.#undecided.delete(seat.address)
  }

  /** Lets the gateway of the older seat find out which of the two has to leave. */
  #contest(older: HeldSeat, newer: HeldSeat, hail: ReceivedHail | null): void {
    for (const seat of [older, newer])
      if (!seat.hasLeft && this.#held.get(seat.address) !== seat) this.#doubt(seat)
    older.gateway.contest(older, hail, (isEmpty) => {
      if (isEmpty) older.hasLeft = true
      const [stays, leaves] = older.hasLeft ? [newer, older] : [older, newer]
      this.#evict(leaves)
      if (!stays.hasLeft) this.#settle(stays)
    })
  }

  /** Puts a seat in its place. Somebody may have come there meanwhile, who is newer or older. */
  #settle(seat: HeldSeat): void {
    const held = this.#held.get(seat.address)
    if (held === undefined || held === seat || held.hasLeft) this.#hold(seat)
    else if (held.sinceMs > seat.sinceMs) this.#evict(seat)
    else {
      this.#evict(held)
      this.#hold(seat)
    }
  }

  #hold(seat: HeldSeat): void {
    this.#decide(seat)
    this.#held.set(seat.address, seat)
    this.#version++
  }

  #evict(seat: HeldSeat): void {
    const isThere = !seat.hasLeft
    this.#forget(seat)
    if (isThere) seat.gateway.evict(seat)
  }

  #forget(seat: HeldSeat): void {
    seat.hasLeft = true
    this.#decide(seat)
    if (this.#held.get(seat.address) !== seat) return
    this.#held.delete(seat.address)
    this.#version++
  }
}
