import type { Storage } from './storage.ts'

/** A text that only this browser can open: the key that locks it can be used here and taken nowhere. */
type Box = { readonly key: CryptoKey; readonly nonce: Uint8Array<ArrayBuffer>; readonly sealed: ArrayBuffer }

export type DeviceBox = {
  readonly put: (text: string) => Promise<void>
  readonly open: () => Promise<string | undefined>
  readonly clear: () => Promise<void>
}

/**
 * Keeps a secret that the app needs without asking for the passphrase: the mining key of an unlocked app, the
 * words before they are backed up. It protects from a copied profile as far as the browser protects its keys,
 * and not from whoever can use this browser; the vault behind the passphrase does.
 */
export const deviceBox = (storage: Storage, name: string): DeviceBox => ({
  put: async (text) => {
    const key = await crypto.subtle.generateKey({ name: 'AES-GCM', length: 256 }, false, [
      'encrypt',
      'decrypt',
    ])
    const nonce = crypto.getRandomValues(new Uint8Array(12))
    const sealed = await crypto.subtle.encrypt(
      { name: 'AES-GCM', iv: nonce },
      key,
      new TextEncoder().encode(text),
    )
    await storage.set(name, { key, nonce, sealed } satisfies Box)
  },
  open: async () => {
    const box = await storage.get<Box>(name)
    if (box === undefined) return undefined
    const { key, nonce, sealed } = box
    const bytes = await crypto.subtle.decrypt({ name: 'AES-GCM', iv: nonce }, key, sealed)
    return new TextDecoder().decode(bytes)
  },
  clear: () => storage.remove(name),
})
