export {
  type LateSigningSession,
  type LateSigningSettings,
  type SignLater,
  signLater,
} from '../session/sign-later.ts'
export type { MiningSigner } from '../session/signer.ts'
