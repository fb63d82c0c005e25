import { openBrowserVault, type SignerPort, serveSigner } from '../../src/browser.ts'

// The key is decrypted here and nowhere else; the page only ever asks for signatures.
addEventListener('message', async ({ data }: MessageEvent) => {
  if (data?.open === undefined) return
  const vault = await openBrowserVault()
  const signer = await vault.unlock(data.open)
  serveSigner({ port: globalThis as unknown as SignerPort, signer })
})
