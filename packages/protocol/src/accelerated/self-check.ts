import type { PrivateKey } from '../values/private-key.ts'
import type { Ecdsa, VerifyText } from './ecdsa.ts'

/** Key 1 signing "Satoshi Nakamoto": the widely published RFC 6979 vector of this curve, with its high-S form. */
export const KNOWN_ANSWER = {
  privateKey: '0000000000000000000000000000000000000000000000000000000000000001' as PrivateKey,
  address: '0279be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798',
  text: 'Satoshi Nakamoto',
  signature:
    '3045022100934b1ea10a4b3c1757e2b0c017d0b6143ce3c9a7e6a4a49860d7a6ab210ee3d8' +
    '02202442ce9d2b916064108014783e923ec36b49743e2ffa1c4496f01a512aafd9e5',
  highS:
    '3046022100934b1ea10a4b3c1757e2b0c017d0b6143ce3c9a7e6a4a49860d7a6ab210ee3d8' +
    '022100dbbd3162d46e9f9bef7feb87c16dc13b4f6568a87f4e83f728e2443ba586675c',
} as const

/** True if a verifier supports the curve and both forms; some builds of OpenSSL, and BoringSSL, lack the curve. */
export function canVerify(verify: VerifyText): boolean {
  const { text, address, signature, highS } = KNOWN_ANSWER
  return (
    verify({ text, address, signature }) &&
    verify({ text, address, signature: highS }) &&
    !verify({ text: `${text}.`, address, signature })
  )
}

/** True if an implementation gives the known answers. */
export function givesKnownAnswers(ecdsa: Ecdsa): boolean {
  const { privateKey, text, address, signature } = KNOWN_ANSWER
  try {
    return (
      ecdsa.addressOf(privateKey) === address &&
      ecdsa.signText(text, privateKey) === signature &&
      canVerify(ecdsa.verifyText)
    )
  } catch {
    return false
  }
}
