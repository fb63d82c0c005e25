import { encodeContractOrder, isNodeError, parseAddress, toAmount, ZERO_TOKEN_ID } from '@hailstone/protocol'
import { describe, expect, it } from 'vitest'
import { type TransactionDraft, transactionFields } from './transaction-fields.ts'

const from = parseAddress(`02${'ab'.repeat(32)}`)
const draft: TransactionDraft = { from, to: from, amount: toAmount(5n), tokenId: ZERO_TOKEN_ID, nonce: 1 }

const codeOf = (change: Partial<TransactionDraft>): string => {
  try {
    transactionFields({ ...draft, ...change })
    return 'fine'
  } catch (error) {
    return isNodeError(error) ? error.code : String(error)
  }
}

const mint = encodeContractOrder({ type: 'mint', tokenId: ZERO_TOKEN_ID, amount: toAmount(1n) })

describe('transactionFields', () => {
  it('takes a memo of every allowed character and none at all', () => {
    expect(transactionFields(draft).data).toBe('')
    expect(transactionFields({ ...draft, memo: 'a Z 0_9-/.' }).data).toBe('a Z 0_9-/.')
  })

  it('refuses a memo with other characters, among them control characters and the end of a line', () => {
    for (const memo of ['ü', 'a,b', 'a:b', 'a\n', '\u0000', 'a+b', '"', 'a'.repeat(513)]) {
      expect(codeOf({ memo })).toBe('MEMO_MALFORMED')
    }
  })

  it('takes the plus and the equals sign where the nodes take them, and the comma nowhere', () => {
    const newer = { takesNewerData: true }
    expect(transactionFields({ ...draft, ...newer, memo: 'a+b=c d' }).data).toBe('a+b=c d')
    for (const memo of ['a:b', 'a,b', 'ü', 'a\n', '+'.repeat(513)])
      expect(codeOf({ ...newer, memo })).toBe('MEMO_MALFORMED')
  })

  it('refuses a memo that the network would take for a contract', () => {
    expect(codeOf({ memo: '000c02000a7e' })).toBe('MEMO_MALFORMED')
    expect(codeOf({ memo: mint })).toBe('MEMO_MALFORMED')
    expect(codeOf({ memo: '000d02000a7e' })).toBe('fine')
  })

  it('refuses a memo that newer nodes would take for a contract', () => {
    for (const code of ['2300', '2400', '2500', '2700', '2800', '2900', '2a00', '2b00', '2c00'])
      for (const memo of [`000c${code}abcd`, `c   ${code}abcd`, `0014${code}0123456789ab`])
        expect(codeOf({ memo }), memo).toBe('MEMO_MALFORMED')
    for (const memo of ['000d2300abcd', '000c2600abcd', '000c2d00abcd', '000c2301abcd'])
      expect(codeOf({ memo }), memo).toBe('fine')
  })

  it('takes a contract as contract, and only a good one', () => {
    expect(transactionFields({ ...draft, contract: mint }).data).toBe(mint)
    expect(codeOf({ contract: mint, memo: 'and a memo' })).toBe('TRANSACTION_MALFORMED')
    expect(codeOf({ contract: 'plain text' })).toBe('TRANSACTION_MALFORMED')
    expect(codeOf({ contract: '000c02000a7e' })).toBe('TRANSACTION_MALFORMED')
    const refused = encodeContractOrder({ type: 'mint', tokenId: 'nonsense', amount: toAmount(1n) })
    expect(codeOf({ contract: refused })).toBe('TRANSACTION_MALFORMED')
  })

  it('writes addresses in lower case and leaves upper-case token ids out', () => {
    const upper = from.toUpperCase().replace('0X', '0x') as typeof from
    expect(transactionFields({ ...draft, to: upper }).to).toBe(from)
    expect(codeOf({ tokenId: 'A'.repeat(64) as typeof draft.tokenId })).toBe('TOKEN_ID_MALFORMED')
  })
})
