/** Codes of Node for a certificate whose authority is not known to it. */
const UNKNOWN_AUTHORITY: ReadonlySet<string> = new Set([
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
])

/** Returns what the system says of a connection that failed: its code, and what to do about TLS or a certificate. */
export function connectionFault(error: Error): string {
  const code = 'code' in error && typeof error.code === 'string' ? error.code : error.message
  if (code === 'ERR_SSL_WRONG_VERSION_NUMBER')
    return `${code}; it does not speak TLS, and without TLS its address begins with ws://`
  if (!UNKNOWN_AUTHORITY.has(code)) return code
  return `${code}; for an authority of your own, name its file in NODE_EXTRA_CA_CERTS`
}
