import type { Attack } from '../attack.ts'
import { appFrame, appMessages, appProfile } from './app.ts'
import { bombs } from './bombs.ts'
import { fewFiles } from './few-files.ts'
import { framesFlood } from './frames.ts'
import { hails } from './hails.ts'
import { halfRequests } from './half-requests.ts'
import { honestFleet } from './honest-fleet.ts'
import { hostileApi } from './hostile-api.ts'
import { hostileBrands } from './hostile-brands.ts'
import { hostileDrawings } from './hostile-drawings.ts'
import { duplicateKeyHails, hostileGateway } from './hostile-gateway.ts'
import { manyConnections } from './many-connections.ts'
import { onlineLists } from './online-lists.ts'
import { pipelining } from './pipelining.ts'
import { poolBadSignatures } from './pool-bad-signatures.ts'
import { poolManyKeys } from './pool-many-keys.ts'
import { poolOneKey } from './pool-one-key.ts'
import { publications } from './publications.ts'
import { rebinding } from './rebinding.ts'
import { slowBodies } from './slow-bodies.ts'
import { slowHeaders } from './slow-headers.ts'
import { stolenAddress } from './stolen-address.ts'
import { unreadHistories } from './unread-histories.ts'
import { upgrades } from './upgrades.ts'

/** Every attack, in the order in which they run. A new one is a file beside this one and a line here. */
export const attacks: readonly Attack[] = [
  pipelining,
  unreadHistories,
  onlineLists,
  bombs,
  hails,
  publications,
  framesFlood,
  honestFleet,
  halfRequests,
  slowHeaders,
  slowBodies,
  upgrades,
  manyConnections,
  fewFiles,
  stolenAddress,
  poolOneKey,
  poolManyKeys,
  poolBadSignatures,
  hostileBrands,
  hostileDrawings,
  rebinding,
  hostileGateway,
  duplicateKeyHails,
  hostileApi,
  appProfile,
  appMessages,
  appFrame,
]
