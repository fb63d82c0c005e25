export {
  type Beacon,
  type BeaconCheck,
  type BeaconRefusal,
  beaconHash,
  type CheckBeaconParameters,
  checkBeacon,
  checkBeaconContent,
  checkBeaconInSteps,
  isOfferSigned,
  type OfferedTransaction,
  offeredTransactionHash,
  parseBeacon,
  type VerifiedHashes,
} from './beacon.ts'
export {
  CLIENT_FRAME_LIMIT_BYTES,
  type ClientMessage,
  type HailData,
  type PublishData,
  parseClientMessage,
} from './client-message.ts'
export { PROTOCOL_VERSION } from './envelope.ts'
export {
  DUPLICATE_KEY,
  formatBeacon,
  formatPeer,
  formatRefusal,
  formatShortPeer,
  LOW_STAKE,
  WRONG_VERSION,
} from './gateway-words.ts'
export { formatHail, type Hail, hailHash } from './hail.ts'
export { formatPublication, type Publication } from './publication.ts'
export {
  FRAME_LIMIT_BYTES,
  parseBootNodeMessage,
  parseServerMessage,
  type ServerMessage,
} from './server-message.ts'
