import type { TransportAnswer, TransportRequest } from '@hailstone/client'
import { formatRefusal, WRONG_VERSION } from '@hailstone/protocol'
import type { Delivered, Mutation } from '../src/mutation.ts'
import type { CursorStore, RewardWatch } from '../src/real.ts'
import type { Program } from '../src/run/program.ts'
import { everyRequest } from './every-request.ts'

const answer = (text: string): TransportAnswer => ({
  status: 200,
  contentType: 'application/json',
  retryAfter: null,
  text,
})

/** Answers one of so many requests to a path by itself. */
const everyNth = (
  path: string,
  nth: number,
  text: string,
): Required<Pick<Mutation, 'transport'>>['transport'] => {
  return (transport) => {
    let asked = 0
    return everyRequest(transport, (request, send) =>
      request.path === path && ++asked % nth === 0 ? Promise.resolve(answer(text)) : send(request),
    )
  }
}

/** Changes what is told of one kind. */
const told =
  (kind: Delivered, change: (tell: (reported: object) => void, reported: object) => void) =>
  <T>(tell: (reported: T) => void, _: unknown, of: Delivered) =>
  (reported: T): void => {
    if (of === kind) change(tell as (reported: object) => void, reported as object)
    else tell(reported)
  }

/** A store of which the text is not taken for damaged, whatever happened to it. */
const trusting = (store: CursorStore): CursorStore => ({
  ...store,
  read: async (name) => {
    const text = await store.read(name)
    return text === null || text.endsWith('}') ? text : null
  },
})

/** A store that forgets one of so many writings. */
const forgetful =
  (nth: number) =>
  (store: CursorStore): CursorStore => {
    let writes = 0
    return {
      ...store,
      write: async (name, text) => {
        if (++writes % nth !== 0) await store.write(name, text)
      },
    }
  }

const HISTORIES = ['/account_rewards', '/account_refreward']

const secondPage = ({ path, query = '' }: TransportRequest): boolean =>
  HISTORIES.includes(path) && query.includes('page=1')

type WatchRewards = Parameters<NonNullable<Mutation['watch']>>[0]

const backOf = new WeakMap<Program, (reported: unknown) => void>()

/** Tells rewards, and keeps the place, when all of a backlog was read; after an error it is read from its beginning again. */
function allOrNothing(watch: WatchRewards, given: Parameters<WatchRewards>[0]): RewardWatch {
  const { cursor, onRead, onReward, onError } = given
  let running = begin()

  function begin(): RewardWatch {
    let isOver = false
    let untold: Parameters<typeof onReward>[] = []
    let place: string | null = null
    const write = async (_: string, text: string): Promise<void> => {
      place = text
    }
    async function tellAll(): Promise<void> {
      const [told, at] = [untold, place]
      untold = []
      for (const one of told) await onReward(...one)
      if (cursor !== undefined && at !== null) await cursor.store.write(cursor.name, at)
    }
    const watching = watch({
      ...given,
      cursor: cursor && { ...cursor, store: { ...cursor.store, write } },
      onReward: (...one) => void untold.push(one),
      onRead: (reading) => {
        onRead?.(reading)
        if (!isOver) void tellAll()
      },
      onError: (error) => {
        onError?.(error)
        if (isOver) return
        isOver = true
        void watching.stop()
        running = begin()
      },
    })
    return watching
  }
  return { ...running, stop: () => running.stop() }
}

/** Planted faults of programs that watch through nodes that disagree. */
export const rewardMutations: readonly Mutation[] = [
  {
    name: 'W1: a page of a history that is swallowed',
    finds: 'lost',
    transport: (transport) =>
      everyRequest(transport, (request, send) =>
        send(
          secondPage(request) ? { ...request, query: request.query?.replace('page=1', 'page=2') } : request,
        ),
      ),
  },
  {
    name: 'W2: a reward that is told twice',
    finds: 'told twice',
    delivery: told('rewarded', (tell, reported) => {
      tell(reported)
      tell(reported)
    }),
  },
  {
    name: 'W3: cursors of which every fifth is not written',
    shownBy: 55,
    finds: 'told twice',
    cursors: forgetful(5),
  },
  { name: 'W4: half a cursor that counts as none', finds: 'half a cursor', cursors: trusting },
  {
    name: 'W5: a fork that takes back without a word',
    shownBy: 26,
    finds: 'not taken back',
    delivery: told('reverted', () => undefined),
  },
  {
    name: 'W6: a reward that is taken back for nothing',
    finds: 'taken back for nothing',
    delivery: (tell, program, kind) => {
      if (kind === 'reverted') backOf.set(program, tell as (reported: unknown) => void)
      let count = 0
      return (reported) => {
        tell(reported)
        if (kind === 'rewarded' && ++count % 5 === 0) backOf.get(program)?.(reported)
      }
    },
  },
  {
    name: 'W7: a height that is not known',
    finds: 'wrong height',
    delivery: told('rewarded', (tell, reported) => tell({ ...reported, height: null })),
  },
  {
    name: 'W8: a reward that is told without its role',
    finds: 'wrong role',
    delivery: told('rewarded', (tell, reported) => tell({ ...reported, role: 'other' })),
  },
  {
    name: 'W9: a balance that is answered from memory for two minutes',
    finds: 'balance: falls',
    transport: (transport, { clock }) => {
      const beganAtMs = clock.monotonicMs()
      let first: TransportAnswer | null = null
      return everyRequest(transport, async (request, send) => {
        if (request.path !== '/balance') return send(request)
        const sinceMs = clock.monotonicMs() - beganAtMs
        if (first !== null && sinceMs > 80_000 && sinceMs < 200_000) return first
        const sent = await send(request)
        if (sent.status === 200) first ??= sent
        return sent
      })
    },
  },
  {
    name: 'W10: microblocks that are not looked at for missed rewards',
    finds: 'missed referrals',
    transport: everyNth('/eindex_by_hash', 1, '[]'),
  },
  {
    name: 'W11: a history that is not there any more',
    finds: 'no rest',
    transport: (transport, { clock }) => {
      const beganAtMs = clock.monotonicMs()
      return everyRequest(transport, (request, send) =>
        HISTORIES.includes(request.path) && clock.monotonicMs() - beganAtMs > 60_000
          ? Promise.resolve(answer('[]'))
          : send(request),
      )
    },
  },
  {
    name: 'W12: a timer that outlives the watch',
    finds: 'timers are left',
    transport: (transport, { clock }) =>
      everyRequest(transport, (request, send) => {
        void clock.sleep(3_600_000)
        return send(request)
      }),
  },
  {
    name: 'W13: a backlog that is forgotten after an error',
    finds: 'no rest',
    watch: (watch) => (given) => allOrNothing(watch, given),
  },
]

/** Planted faults of a node that mines. */
export const earningMutations: readonly Mutation[] = [
  {
    name: 'E1: a node that is ended by what no gateway said',
    finds: 'no rest',
    openChannel:
      (open, { clock }) =>
      (given) => {
        const say = (): void => given.handlers.received(formatRefusal(WRONG_VERSION))
        const opened = (): void => {
          given.handlers.opened()
          void clock.sleep(1_000).then(say)
        }
        return open({ ...given, handlers: { ...given.handlers, opened } })
      },
  },
  {
    name: 'E2: a token that is never known',
    finds: 'no rest',
    transport: everyNth('/token_info', 1, '[]'),
  },
  {
    name: 'E3: an API that is called ready whatever it shows',
    shownBy: 66,
    finds: 'health',
    supervision: (shown) => ('isReady' in shown ? { ...shown, isReady: true } : shown),
  },
  {
    name: 'E4: a counter that begins anew',
    finds: 'a counter falls',
    supervision: (shown) => {
      const { figures } = shown
      if (figures === undefined) return shown
      const again = figures.map((figure) =>
        figure.type === 'counter' && figure.name.includes('published')
          ? { ...figure, samples: figure.samples.map((one) => ({ ...one, value: Number(one.value) % 3 })) }
          : figure,
      )
      return { ...shown, figures: again }
    },
  },
  {
    name: 'E5: a snapshot with less than nothing',
    finds: 'less than nothing',
    supervision: (shown) =>
      shown.rewards === undefined || !('publications' in shown)
        ? shown
        : { ...shown, rewards: shown.rewards.map((one) => ({ ...one, own: -one.own })) },
  },
  {
    name: 'E6: a reward that no event tells',
    finds: 'lost',
    delivery: told('rewarded', (tell, reported) => {
      if ((reported as { readonly index: number }).index % 5 !== 0) tell(reported)
    }),
  },
]

/** Planted faults of fleets and of webhooks. */
export const fleetMutations: readonly Mutation[] = [
  {
    name: 'F1: a reward in seven that is handed to nobody',
    finds: 'lost',
    delivery: (tell, _, kind) => {
      let count = 0
      return (reported) => {
        if (kind === 'reverted' || ++count % 7 !== 0) tell(reported)
      }
    },
  },
  {
    name: 'F2: a reward that is told again under another id',
    finds: 'another id',
    delivery: told('rewarded', (tell, reported) => {
      tell(reported)
      tell({ ...reported, id: `${(reported as { readonly id?: string }).id} again` })
    }),
  },
  {
    name: 'F3: a place that is stored for one macroblock in four',
    shownBy: 192,
    finds: 'told twice',
    cursors: (store) => {
      let writes = 0
      return {
        ...store,
        write: async (name, text) => {
          if (name !== 'fleet' || ++writes % 4 === 0) await store.write(name, text)
        },
      }
    },
  },
  { name: 'F4: half a place that counts as none', shownBy: 15, finds: 'half a cursor', cursors: trusting },
  { name: 'F5: a token that is never known', finds: 'no rest', transport: everyNth('/token_info', 1, '[]') },
  {
    name: 'F6: a fork that takes back without a word',
    shownBy: 44,
    finds: 'not taken back',
    delivery: told('reverted', () => undefined),
  },
]
