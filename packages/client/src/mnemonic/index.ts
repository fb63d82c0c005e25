export {
  type CheckMnemonicOptions,
  checkMnemonic,
  type MnemonicCheck,
  type WrongWord,
} from './check-mnemonic.ts'
export { type CreateMnemonicParameters, createMnemonic } from './create-mnemonic.ts'
export { type WalletFromMnemonicOptions, walletFromMnemonic } from './wallet-from-mnemonic.ts'
export { englishWords, type WordList } from './word-list.ts'
