// A program of its own that uses a keystore file: a JSON line in by argument, the code of the outcome out.

import { takeFileLock } from '@hailstone/runtime/node'
import { writeKeystoreFiles } from '../../dist/node/keystore-files.js'

const { act, path, privateKey, password, texts } = JSON.parse(process.argv[2])
const say = (word) => process.stdout.write(`${word}\n`)

/** Writes one text and then the other for ever, so that a kill always meets a write. */
async function rewrite() {
  await takeFileLock(`${path}.lock`)
  say('ready')
  for (let at = 0; ; at++) await writeKeystoreFiles(path, texts[at % 2])
}

async function hold() {
  await takeFileLock(`${path}.lock`)
  say('ready')
  setInterval(() => undefined, 1000)
}

async function save() {
  const { createFileKeystore, walletFromPrivateKey } = await import('../../dist/node.js')
  await createFileKeystore({ path }).save({ wallet: walletFromPrivateKey(privateKey), password })
}

try {
  await { rewrite, hold, save }[act]()
  if (act === 'save') say('saved')
} catch (error) {
  say(`${error.code}: ${error.facts?.reason}`)
}
