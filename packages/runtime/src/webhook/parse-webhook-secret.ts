const SECRET = /^whsec_([A-Za-z0-9+/]{32,88}={0,2})$/

/** Returns the bytes that sign: of `whsec_` and 24 to 64 bytes in base64, as Standard Webhooks has it. Null for any other text. */
export function parseWebhookSecret(text: string): Buffer | null {
  const [, base64 = ''] = SECRET.exec(text) ?? []
  const secret = Buffer.from(base64, 'base64')
  return secret.length < 24 || secret.length > 64 ? null : secret
}
