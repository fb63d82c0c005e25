import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { createFileKeystore, createWallet, type Wallet } from '@hailstone/client'
import { settings } from './settings.ts'

/** Opens the key of this bot, which is made at the first start and kept in a file, encrypted. */
export async function openWallet(): Promise<Wallet> {
  const { dataFolder, password } = settings
  mkdirSync(dataFolder, { recursive: true })
  const keystore = createFileKeystore({ path: join(dataFolder, 'bot.keystore') })
  if ((await keystore.readAddress()) === undefined) await keystore.save({ wallet: createWallet(), password })
  const { wallet } = await keystore.unlock({ password })
  return wallet
}
