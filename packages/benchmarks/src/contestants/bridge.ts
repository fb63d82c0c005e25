/** A bridge in a process of its own. */
import { type Bridge, createBridge } from '@hailstone/mining-node/bridge'
import { answerParent } from '../child.ts'

let bridge: Bridge | undefined

answerParent({
  start: async ({ upstream }: { readonly upstream: string }) => {
    const limits = {
      sessions: 5_000,
      sessionsPerAddress: 5_000,
      opensPerMinute: 100_000,
      framesPerSecond: 10_000,
    }
    bridge = await createBridge({ upstreams: [upstream], limits })
    return bridge.url
  },
  state: () => ({
    sessions: bridge?.health().sessions,
    cpuMs: (process.cpuUsage().user + process.cpuUsage().system) / 1_000,
    megabytes: process.memoryUsage().rss / 1e6,
  }),
})
