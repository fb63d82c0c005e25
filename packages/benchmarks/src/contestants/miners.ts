/** Many miners in a process of their own. */
import { createFleet } from '@hailstone/mining-node/fleet'
import { sha256Hex } from '@hailstone/protocol'
import { answerParent } from '../child.ts'

answerParent({
  start: async ({ gatewayUrl, count }: { gatewayUrl: string; count: number }) => {
    const keys = Array.from({ length: count }, (_, at) => sha256Hex(`benchmark miner ${at}`))
    await createFleet({ keys: () => keys, gatewayUrl, signingThreads: 0 }).start()
  },
})
