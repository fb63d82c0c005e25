// A program that opens a key and then fails in the way it is told to; the key comes by standard input.
import { readFileSync } from 'node:fs'
import { createWorkerSigner, decryptWallet, walletFromPrivateKey } from '../../dist/node.js'

const [how] = process.argv.slice(2)
const { privateKey, password, text } = JSON.parse(readFileSync(0, 'utf8'))
const wallet = walletFromPrivateKey(privateKey)

const failures = {
  rejection: async () => walletFromPrivateKey(`${privateKey}0`),
  password: async () => decryptWallet({ text, password: `${password}!` }),
  exception: () => setTimeout(() => wallet.signTransaction({ from: privateKey, data: password })),
  wallet: () => Promise.reject(wallet),
  signer: () =>
    createWorkerSigner({ port: { postMessage: () => undefined, on: () => {}, off: () => {} }, timeoutMs: 1 }),
}
failures[how]()
