import type { TransportAnswer } from '@hailstone/client'
import type { Mutation } from '../src/mutation.ts'
import { everyRequest } from './every-request.ts'

/** Planted faults of programs that watch. */
export const watchingMutations: readonly Mutation[] = [
  {
    name: 'a reward that is delivered after the cursor has moved',
    delivery:
      (tell, { clock }) =>
      (reported) => {
        void clock.sleep(700).then(() => tell(reported))
      },
  },
  {
    name: 'cursors of which every third is not written',
    shownBy: 22,
    cursors: (store) => {
      let writes = 0
      return {
        ...store,
        write: async (name, text) => {
          if (++writes % 3 !== 0) await store.write(name, text)
        },
      }
    },
  },
  {
    name: 'a balance that is answered from memory for ten minutes',
    transport: (transport, { clock }) => {
      let kept: { readonly atMs: number; readonly answer: TransportAnswer } | null = null
      return everyRequest(transport, async (request, send) => {
        if (request.path !== '/balance') return send(request)
        if (kept !== null && clock.monotonicMs() - kept.atMs < 600_000) return kept.answer
        const answer = await send(request)
        if (answer.status === 200) kept = { atMs: clock.monotonicMs(), answer }
        return answer
      })
    },
  },
  {
    name: 'a balance of zero in place of a failure',
    shownBy: 63,
    transport: (transport) =>
      everyRequest(transport, async (request, send) => {
        try {
          return await send(request)
        } catch (error) {
          if (request.path !== '/balance') throw error
          const text = '{"amount":0,"decimals":10,"delegated":0,"reward":0,"transit":0,"undelegated":0}'
          return { status: 200, contentType: 'application/json', retryAfter: null, text }
        }
      }),
  },
  {
    name: 'a history that skips what was on its second page',
    transport: (transport) =>
      everyRequest(transport, (request, send) => {
        const { path, query = '' } = request
        const isSecond = path === '/account_rewards' && query.includes('page=1')
        return send(isSecond ? { ...request, query: query.replace('page=1', 'page=2') } : request)
      }),
  },
]
