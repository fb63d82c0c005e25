import { createGenesis, type DevelopmentAccount } from '@hailstone/ledger'
import { type Transaction, type VerifyText, verifyText } from '@hailstone/protocol'
import { expect, test } from 'vitest'
import { payment } from '../../test/payments.ts'
import { createSignedTransactions } from './signed-transactions.ts'

const genesis = createGenesis({ seed: 'signed', time: 0 })
const [alice, bob] = genesis.accounts.developers as readonly DevelopmentAccount[] as [
  DevelopmentAccount,
  DevelopmentAccount,
]

function setUp() {
  let verifications = 0
  const verify: VerifyText = (given) => {
    verifications++
    return verifyText(given)
  }
  const { transaction } = payment(genesis, { from: alice, to: bob.address, amount: 10n ** 10n })
  return { signed: createSignedTransactions(verify), transaction, count: () => verifications }
}

test('a transaction is verified once, and one that was noted never', () => {
  const { signed, transaction, count } = setUp()
  expect([signed.has(transaction), signed.has(transaction), count()]).toEqual([true, true, 1])
  const noted = { ...transaction }
  signed.note(noted)
  expect([signed.has(noted), count()]).toEqual([true, 1])
})

test('a wrong signature is found each time, and makes no other object right', () => {
  const { signed, transaction, count } = setUp()
  signed.note(transaction)
  const forged: Transaction = { ...transaction, amount: (transaction.amount + 1n) as Transaction['amount'] }
  expect([signed.has(forged), signed.has(forged), count()]).toEqual([false, false, 2])
})
