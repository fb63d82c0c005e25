// The key is decrypted here and nowhere else; the program only ever asks for signatures.
import { parentPort, workerData } from 'node:worker_threads'
import { createFileKeystore, serveSigner } from '../../dist/node.js'

const { path, password } = workerData
const { wallet } = await createFileKeystore({ path }).unlock({ password })
serveSigner({ port: parentPort, signer: wallet })
