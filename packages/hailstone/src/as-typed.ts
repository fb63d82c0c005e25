import type { PaymentSummary } from '@hailstone/client'
import { CommandFailure } from './command-failure.ts'
import { exits } from './exit-codes.ts'
import { isIdText } from './named-token.ts'

/**
 * Asserts that what is to be signed is what was typed. The amount was read with the decimals of one answer, and a symbol
 * was looked up in one answer; the summary has those of another.
 *
 * @param typed.token symbol or id; undefined for the native token
 * @throws {CommandFailure} where two answers differ
 */
export function assertAsTyped(
  summary: Pick<PaymentSummary, 'decimals' | 'symbol' | 'tokenId'>,
  { decimals, token }: { readonly decimals: number; readonly token: string | undefined },
): void {
  if (summary.decimals !== decimals)
    throw differs(
      `The API named ${decimals} decimals for the token when the amount was read, and ${summary.decimals} when it was to be signed.`,
    )
  if (token !== undefined && !isIdText(token) && summary.symbol !== token)
    throw differs(
      `The API named ${summary.tokenId} as the token ${token}, and says that its symbol is ${summary.symbol} when it was to be signed.`,
    )
}

const differs = (message: string): CommandFailure =>
  new CommandFailure(`${message} Nothing was signed.`, exits.answerInvalid, exits.answerInvalid.nextStep)
