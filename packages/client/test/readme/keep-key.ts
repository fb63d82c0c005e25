import { createFileKeystore, createWallet, decryptWallet, type Wallet } from '@hailstone/client'

export async function openWallet(path: string, password: string): Promise<Wallet> {
  const keystore = createFileKeystore({ path })
  if ((await keystore.readAddress()) === undefined) await keystore.save({ wallet: createWallet(), password })
  const { wallet } = await keystore.unlock({ password })
  // The encrypted text is a backup: keep it where the loss of this disk cannot reach it.
  const backup = await keystore.readText()
  const restored = await decryptWallet({ text: backup, password })
  if (restored.wallet.address !== wallet.address) throw new Error('the backup is of another account')
  return wallet
}
