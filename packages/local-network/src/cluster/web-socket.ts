import { wholeModule } from '@hailstone/runtime/node'
import * as ws from 'ws'

export const { WebSocket } = wholeModule(ws, {
  name: 'ws',
  from: () => import.meta.url,
  parts: ['WebSocket'],
})
