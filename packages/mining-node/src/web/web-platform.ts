import type { Platform } from '../mining-node.ts'
import { openWebChannel } from './open-web-channel.ts'
import { watchConnectivity } from './watch-connectivity.ts'

/** Parts of a mining node that a browser provides: sockets, connectivity and the gap between wake-ups. */
export const webPlatform: Platform = {
  openChannel: openWebChannel,
  connectivity: watchConnectivity,
  /** Pages in the background are woken once a minute. */
  minGapMs: 90_000,
}
