export { type BasePoint, baseCurve, type ExtensionPoint } from './curve.ts'
export type { ExtensionElement } from './extension-field.ts'
export { hashToPoint, identityPoint } from './hash-to-point.ts'
export { type LeaderSignature, parseLeaderSignature } from './leader-signature.ts'
export { type LeaderStatement, type StatementHashes, statementHashes } from './leader-statement.ts'
export { type MasterPublicKey, masterPublicKeys, secondGenerator } from './master-public-key.ts'
export { type PairingInput, pairing } from './pairing.ts'
export { masterPublicKeyOf, signLeaderMessage } from './sign-leader-message.ts'
export {
  checkLeaderSignature,
  checkSignedHashes,
  type LeaderSignatureCheck,
  type LeaderSignatureRefusal,
  verifyLeaderSignature,
} from './verify-leader-signature.ts'
