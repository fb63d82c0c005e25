import { expect, it } from 'vitest'
import { openFileJournal } from './file-journal.ts'
import { createFileKeystore } from './file-keystore.ts'

it.each([
  ['nothing', undefined, 'nothing'],
  ['null', null, 'nothing'],
  ['the path alone', 'payments.journal', 'nothing'],
  ['another name', { file: 'payments.journal' }, 'nothing'],
  ['a number', { path: 5 }, 'number 5'],
  ['an empty path', { path: '' }, 'the text ""'],
])('a journal and a keystore refuse %s for their path, and say how it is given', async (_, given, found) => {
  const refused = { code: 'ARGUMENT_INVALID', facts: { parameter: 'path', found } }
  const journal = openFileJournal(given as never)
  await expect(journal).rejects.toMatchObject(refused)
  await expect(journal).rejects.toThrow("as in openFileJournal({ path: 'payments.journal' })")
  const keystore = async () => createFileKeystore(given as never)
  await expect(keystore()).rejects.toMatchObject(refused)
  await expect(keystore()).rejects.toThrow("as in createFileKeystore({ path: 'miner.keystore' })")
})
