import type { Mutation } from '../src/mutation.ts'
import { miner } from '../src/world/accounts.ts'

/** Planted faults of programs that mine. */
export const sessionMutations: readonly Mutation[] = [
  {
    name: 'a publication that is sent twice',
    openChannel: (open) => (given) => {
      const channel = open(given)
      const send = (text: string): void => {
        channel.send(text)
        if (text.includes('"publish"')) channel.send(text)
      }
      return { ...channel, send }
    },
  },
  {
    name: 'a verifier to whom every signature is right',
    verify: () => true,
  },
  {
    name: 'pongs that nobody sent',
    openChannel: (open) => (given) => {
      const channel = open(given)
      return { ...channel, ping: () => given.handlers.pong() }
    },
  },
  {
    name: 'a beacon in ten that is lost between socket and session',
    openChannel: (open) => (given) => {
      let beacons = 0
      const received = (text: string): void => {
        if (text.includes('on_leader_beacon') && ++beacons % 10 === 0) return
        given.handlers.received(text)
      }
      return open({ ...given, handlers: { ...given.handlers, received } })
    },
  },
  {
    name: 'a hail that is repeated when the gateway is quiet',
    openChannel:
      (open, { clock }) =>
      (given) => {
        const channel = open(given)
        const send = (text: string): void => {
          channel.send(text)
          if (!text.includes('"hail"')) return
          void clock.sleep(20_000).then(() => {
            try {
              channel.send(text)
            } catch {
              // It is gone by now.
            }
          })
        }
        return { ...channel, send }
      },
  },
  {
    name: 'a hail that signs with the text of the key',
    openChannel: (open) => (given) => {
      const channel = open(given)
      const leak = (text: string): string => text.replace('"hail"', `"hail","note":"${miner.canary}"`)
      return { ...channel, send: (text) => channel.send(leak(text)) }
    },
  },
]
