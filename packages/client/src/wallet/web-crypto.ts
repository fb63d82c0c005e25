import { keystoreError } from '@hailstone/protocol'

/**
 * The ciphers of the platform. Browsers give them to pages from `https` and `localhost` only.
 *
 * @throws {NodeError} `VAULT_UNAVAILABLE`
 */
export function webCrypto(): SubtleCrypto {
  const { subtle } = crypto as { readonly subtle?: SubtleCrypto | undefined }
  if (subtle === undefined)
    throw keystoreError('VAULT_UNAVAILABLE', { reason: 'the page is not loaded by https' })
  return subtle
}
