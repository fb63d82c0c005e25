export type { Ecdsa, VerifyText } from './ecdsa.ts'
export {
  type AcceleratedPackage,
  type FindAcceleratedEcdsaParameters,
  findAcceleratedEcdsa,
} from './find-accelerated-ecdsa.ts'
